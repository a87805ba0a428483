/// The system tables of a geodatabase (formats.md 3.3).
enum ReplicaSchema {
    static let statements: [String] =
        bookkeeping + catalogue.map { ReplicaColumn.createTable($0.name, $0.columns) } + indexes

    /// Tables without CHECKs.
    private static let bookkeeping: [String] = [
        """
        CREATE TABLE GDB_Version (major int32 primary key not null, minor int32 not null, bugfix int32 not null,
        description text(96) not null, release int32 not null, sdesvr_rel_low int32 not null)
        """,
        """
        CREATE TABLE st_aux_spatial_reference_systems (srid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, auth_name
        TEXT(256), auth_srid INT32, srtext TEXT(2048), falsex FLOAT64 NOT NULL, falsey FLOAT64 NOT NULL, xyunits FLOAT64
        NOT NULL, falsez FLOAT64 DEFAULT 0.0, zunits FLOAT64 DEFAULT 1.0, falsem FLOAT64 DEFAULT 0.0, munits FLOAT64
        DEFAULT 1.0, xycluster_tol FLOAT64, zcluster_tol FLOAT64, mcluster_tol FLOAT64, object_flags INT32 DEFAULT 1)
        """,
        """
        CREATE TABLE st_geometry_columns (gcid INTEGER PRIMARY KEY AUTOINCREMENT, f_table_name CLOB NOT NULL,
        f_geometry_column CLOB NOT NULL, geometry_type INT32, coord_dimension INT32, srid INTEGER NOT NULL,
        spatial_index_type CLOB, CONSTRAINT gc_uk UNIQUE (f_table_name, f_geometry_column))
        """,
        """
        CREATE TABLE GDB_Layers (layer_id INTEGER PRIMARY KEY AUTOINCREMENT, description TEXT(65), table_name TEXT(128)
        NOT NULL, spatial_column TEXT(128) NOT NULL, eflags INT32 NOT NULL, layer_mask INT32 NOT NULL, minx FLOAT64 NOT
        NULL, miny FLOAT64 NOT NULL, maxx FLOAT64 NOT NULL, maxy FLOAT64 NOT NULL, minz FLOAT64, minm FLOAT64, maxz
        FLOAT64, maxm FLOAT64, cdate INT64 NOT NULL, minimum_id INT64, srid INTEGER NOT NULL, base_layer_id INTEGER NOT
        NULL, CONSTRAINT layer_uk UNIQUE (table_name, spatial_column))
        """,
        """
        CREATE TABLE GDB_Metadata (record_id INTEGER PRIMARY KEY AUTOINCREMENT, object_name TEXT(160) NOT NULL,
        object_type INT32 NOT NULL, class_name TEXT(32), property TEXT(32), prop_value TEXT(255), description TEXT(65),
        creation_date realdate)
        """,
        """
        CREATE TABLE GDB_TableRegistry (registration_id INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT(128) NOT NULL
        UNIQUE, rowid_column TEXT(32), description TEXT(65), object_flags INT32 NOT NULL, registration_date INT64 NOT
        NULL, minimum_id INT64)
        """,
        """
        CREATE TABLE GDB_Locators (locator_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT(32) NOT NULL UNIQUE, category
        TEXT(32) NOT NULL, type INT32 NOT NULL, description TEXT(65))
        """,
        """
        CREATE TABLE GDB_ColumnRegistry (table_name TEXT(128) NOT NULL, column_name TEXT(32) NOT NULL, sde_type INT32
        NOT NULL, column_size INT32, decimal_digits INT32, description TEXT(65), object_flags INT32 NOT NULL, object_id
        INT32, CONSTRAINT colregistry_pk PRIMARY KEY (table_name, column_name))
        """,
        """
        CREATE TABLE GDB_TablesModified (table_name text(32) not null, time_last_modified int64)
        """,
        """
        CREATE TABLE GDB_RowidGenerators (registration_id int32 not null, base_id int32 not null, num_ids int32 not
        null, last_id int32, CONSTRAINT GDB_RowidGenerators_pk PRIMARY KEY (registration_id, base_id))
        """,
    ]

    /// In the order of `GDB_TableRegistry`.
    static let catalogue: [(name: String, columns: [ReplicaColumn])] = [
        (
            "GDB_Tables_Last_Modified",
            [.required("table_name", .text(160), isUnique: true), .required("last_modified_count", .int32)]
        ),
        (
            "GDB_Items",
            [
                .key("ObjectID"), .required("UUID", .uuid, isUnique: true), .required("Type", .uuid),
                .optional("Name", .text(226)),
                .optional("PhysicalName", .text(226)), .optional("Path", .text(512)), .optional("Url", .text(255)),
                .optional("Properties", .int32), .optional("Defaults", .blob(limit: 52_428_800)),
                .optional("DatasetSubtype1", .int32), .optional("DatasetSubtype2", .int32), .optional("DatasetInfo1", .text(255)),
                .optional("DatasetInfo2", .text(255)), .optional("Definition", .xml), .optional("Documentation", .xml),
                .optional("ItemInfo", .xml), .optional("Shape", .geometry),
            ]
        ),
        (
            "GDB_ItemRelationships",
            [
                .key("ObjectID"), .required("UUID", .uuid, isUnique: true), .required("Type", .uuid),
                .required("OriginID", .uuid),
                .required("DestID", .uuid), .optional("Properties", .int32), .optional("Attributes", .xml),
            ]
        ),
        (
            "GDB_ItemTypes",
            [
                .key("ObjectID"), .required("UUID", .uuid, isUnique: true), .required("Name", .text(226)),
                .required("ParentTypeID", .uuid),
            ]
        ),
        (
            "GDB_ItemRelationshipTypes",
            [
                .key("ObjectID"), .required("UUID", .uuid, isUnique: true), .required("Name", .text(226)),
                .optional("ForwardLabel", .text(226)), .optional("BackwardLabel", .text(226)), .required("OrigItemTypeID", .uuid),
                .required("DestItemTypeID", .uuid), .optional("IsContainment", .int16),
            ]
        ),
        (
            "GDB_ReplicaLog",
            [
                .key("ID"), .required("ReplicaID", .int32), .required("Event", .int32), .required("ErrorCode", .int32),
                .required("LogDate", .date), .required("SourceBeginGen", .int32), .required("SourceEndGen", .int32),
                .required("TargetGen", .int32),
            ]
        ),
        (
            "GDB_ServiceItems",
            [
                .key("OBJECTID"), .required("ItemType", .int16), .required("ItemInfo", .longText(100_000_000)),
                .required("ItemId", .int32), .required("DatasetName", .text(1024)),
                .optional("AdvancedDrawingInfo", .longText(100_000_000)),
            ]
        ),
    ]

    private static let indexes: [String] = [
        "CREATE VIRTUAL TABLE st_spindex__GDB_Items_Shape USING RTREE (pkid,minx,maxx,miny,maxy)",
        "CREATE INDEX Items_Type_idx on GDB_Items (Type ASC)",
        "CREATE INDEX Items_Name_idx on GDB_Items (Name ASC)",
        "CREATE INDEX Items_PhysicalName_idx on GDB_Items (PhysicalName ASC)",
        "CREATE INDEX GDB_ItemRel_Type_idx on GDB_ItemRelationships (Type ASC)",
        "CREATE INDEX GDB_ItemRel_OriginID_idx on GDB_ItemRelationships (OriginID ASC)",
        "CREATE INDEX GDB_ItemRel_DestID_idx on GDB_ItemRelationships (DestID ASC)",
        "CREATE INDEX ItemTypes_Name_idx on GDB_ItemTypes (Name ASC)",
        "CREATE INDEX ItemTypes_ParentTypeID_idx on GDB_ItemTypes (ParentTypeID ASC)",
        "CREATE INDEX ItmRTypes_Name_idx on GDB_ItemRelationshipTypes (Name ASC)",
        "CREATE INDEX ItmRTypes_ForwardLabel_idx on GDB_ItemRelationshipTypes (ForwardLabel ASC)",
        "CREATE INDEX ItmRTypes_BackwardLabel_idx on GDB_ItemRelationshipTypes (BackwardLabel ASC)",
        "CREATE INDEX ItmRTypes_OrigItemTypeID_idx on GDB_ItemRelationshipTypes (OrigItemTypeID ASC)",
        "CREATE INDEX ItmRTypes_DestItemTypeID_idx on GDB_ItemRelationshipTypes (DestItemTypeID ASC)",
    ]
}
