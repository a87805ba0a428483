import Basics
import Geography

/// The XML definitions in `GDB_Items`: what a dataset, a domain or a relationship class is.
struct ReplicaDefinitions {
    let file: ReplicaDraft

    init(file: ReplicaDraft) { self.file = file }

    struct Relation {
        var name: String
        var origin: String
        var destination: String
        var originKey: String
        var destinationKey: String
        var isAttachments: Bool
    }

    /// Between tables of the file: each layer and its attachments, and the service's own.
    var relations: [Relation] {
        let layers = file.tables.filter { !$0.isAttachments }
        let attachments = file.tables.filter(\.isAttachments).map { table in
            let parent = ReplicaTable.sqlName(table.source.name)
            return Relation(
                name: parent + "__ATTACHREL", origin: parent, destination: table.name, originKey: table.source.fields[1].name,
                destinationKey: "REL_GLOBALID", isAttachments: true)
        }
        let own = layers.flatMap { origin in
            origin.source.relationships.filter(\.isOrigin).compactMap { relationship -> Relation? in
                guard let related = layers.first(where: { $0.source.id == relationship.relatedTableID }),
                    let key = related.source.relationships.first(where: { $0.id == relationship.id && !$0.isOrigin })?.keyField
                else { return nil }
                return Relation(
                    name: ReplicaTable.sqlName(relationship.name), origin: origin.name, destination: related.name,
                    originKey: relationship.keyField, destinationKey: key, isAttachments: false)
            }
        }
        return attachments + own
    }

    var workspace: String {
        XMLText.document(
            "DEWorkspace",
            XMLText.elements([
                ("CatalogPath", "\\"), ("Name", ""), ("ChildrenExpanded", "false"),
                ("WorkspaceType", "esriLocalDatabaseWorkspace"),
                ("WorkspaceFactoryProgID", ""), ("ConnectionString", ""),
            ]) + XMLText.element("Domains", type: "typens:ArrayOfDomain", "")
                + XMLText.elements([("MajorVersion", "3"), ("MinorVersion", "0"), ("BugfixVersion", "0"), ("Realm", "")])
                + XMLText.element("User", text: file.replica.owner))
    }

    var historicalMarker: String {
        XMLText.document(
            "GPHistoricalMarker",
            XMLText.element("Name", "DEFAULT")
                + XMLText.element("TimeStamp", type: "xs:dateTime", ReplicaDefinitions.moment(file.replica.created)))
    }

    func domain(_ domain: FeatureTable.Field.Domain, _ kind: FeatureTable.Field.Kind) -> String {
        let type = kind == .string ? "xs:string" : kind == .double ? "xs:double" : "xs:int"
        let head =
            XMLText.elements([
                ("DomainName", domain.name), ("FieldType", kind.rawValue), ("MergePolicy", "esriMPTDefaultValue"),
                ("SplitPolicy", "esriSPTDefaultValue"), ("Description", ""), ("Owner", ""),
            ])
        switch domain {
        case .coded(_, let values):
            let items = values.map { value in
                XMLText.element(
                    "CodedValue", type: "typens:CodedValue",
                    XMLText.element("Name", text: value.name) + XMLText.element("Code", type: type, String(value.code)))
            }
            return XMLText.document(
                "GPCodedValueDomain2", head + XMLText.element("CodedValues", type: "typens:ArrayOfCodedValue", items.joined()))
        case .range(_, let low, let high):
            return XMLText.document(
                "GPRangeDomain2",
                head + XMLText.element("MaxValue", type: type, "\(high)") + XMLText.element("MinValue", type: type, "\(low)"))
        }
    }

    func dataset(_ table: ReplicaTable, number: Int) -> String {
        let root = table.isSpatial ? "DEFeatureClassInfo" : "DETableInfo"
        let names = relations.filter { $0.origin == table.name || $0.destination == table.name }
            .map { XMLText.element("Name", text: "main." + $0.name) }
        let classID = table.isSpatial ? "{52353152-891A-11D0-BEC6-00805F7C4268}" : "{7A566981-C114-11D2-8A28-006097AFF44E}"
        return XMLText.document(
            root,
            head(
                "main." + table.name, number, table.isSpatial ? "esriDTFeatureClass" : "esriDTTable", objectID: table.rowIDColumn)
                + XMLText.element("GPFieldInfoExs", type: "typens:ArrayOfGPFieldInfoEx", fields(table))
                + XMLText.elements([("CLSID", classID), ("EXTCLSID", "")])
                + XMLText.element("RelationshipClassNames", type: "typens:Names", names.joined())
                + XMLText.elements([
                    ("AliasName", table.isAttachments ? "" : table.source.name), ("ModelName", ""), ("HasGlobalID", "true"),
                    ("GlobalIDFieldName", table.globalIDColumn), ("RasterFieldName", ""), ("EditorTrackingEnabled", "false"),
                    ("IsTimeInUTC", "true"),
                ]) + (table.isSpatial ? spatial(table) : "")
                + XMLText.elements([("ChangeTracked", "\(table.isRegistered)"), ("FieldFilteringEnabled", "false")]))
    }

    func relationshipClass(_ relation: Relation, number: Int) -> String {
        func names(_ element: String, _ table: String) -> String {
            XMLText.element(element, type: "typens:Names", XMLText.element("Name", text: "main." + table))
        }
        func key(_ field: String, _ role: String) -> String {
            XMLText.element(
                "RelationshipClassKey", type: "typens:RelationshipClassKey",
                XMLText.elements([("ObjectKeyName", field), ("ClassKeyName", ""), ("KeyRole", role)]))
        }
        return XMLText.document(
            "DERelationshipClassInfo",
            head("main." + relation.name, number, "esriDTRelationshipClass", objectID: nil)
                + XMLText.elements([
                    ("Cardinality", "esriRelCardinalityOneToMany"), ("Notification", "esriRelNotificationNone"),
                    ("IsAttributed", "false"), ("IsComposite", "\(relation.isAttachments)"),
                ]) + names("OriginClassNames", relation.origin) + names("DestinationClassNames", relation.destination)
                + XMLText.elements([
                    ("KeyType", "esriRelKeyTypeSingle"), ("ClassKey", "esriRelClassKeyUndefined"),
                    ("ForwardPathLabel", relation.isAttachments ? "attachment" : ""),
                    ("BackwardPathLabel", relation.isAttachments ? "object" : ""), ("IsReflexive", "false"),
                ])
                + XMLText.element(
                    "OriginClassKeys", type: "typens:ArrayOfRelationshipClassKey",
                    key(relation.originKey, "esriRelKeyRoleOriginPrimary")
                        + key(relation.destinationKey, "esriRelKeyRoleOriginForeign"))
                + XMLText.elements([("IsAttachmentRelationship", "\(relation.isAttachments)"), ("ChangeTracked", "false")]))
    }

    private func head(_ name: String, _ number: Int, _ type: String, objectID: String?) -> String {
        XMLText.elements([
            ("CatalogPath", "\\" + name), ("Name", name), ("ChildrenExpanded", "false"), ("DatasetType", type),
            ("DSID", "\(number)"),
            ("Versioned", "false"), ("CanVersion", "true"), ("ConfigurationKeyword", ""),
            ("RequiredGeodatabaseClientVersion", "10.2"),
            ("HasOID", "\(objectID != nil)"), ("OIDFieldName", objectID ?? ""),
        ])
    }

    private func fields(_ table: ReplicaTable) -> String {
        func field(_ name: String, _ alias: String, _ kind: String, isNullable: Bool, domain: String? = nil) -> String {
            var parts = [("Name", name), ("AliasName", alias), ("ModelName", name)]
            if let domain { parts.append(("DomainName", domain)) }
            parts += [("FieldType", kind), ("IsNullable", "\(isNullable)")]
            if !isNullable { parts += [("Required", "true"), ("Editable", "false")] }
            return XMLText.element("GPFieldInfoEx", type: "typens:GPFieldInfoEx", XMLText.elements(parts))
        }
        if table.isAttachments {
            let kinds = [
                "OID", "GlobalID", "GUID", "String", "String", "Integer", "Blob",
            ]
            return zip(table.columns, kinds).map { column, kind in
                field(column.name, column.name, "esriFieldType" + kind, isNullable: column.isNullable)
            }.joined()
        }
        let own = table.source.fields.enumerated().map { index, item in
            field(item.name, item.alias, item.kind.rawValue, isNullable: index > 1, domain: item.domain?.name)
        }
        return own.joined()
            + (table.isSpatial ? field(ReplicaTable.shapeColumn, "", "esriFieldTypeGeometry", isNullable: true) : "")
    }

    private func spatial(_ table: ReplicaTable) -> String {
        let system = file.replica.system.xml
        let box = file.extents[table.name]
        let extent = box.map { Self.envelope($0) + system } ?? system
        return XMLText.elements([
            ("FeatureType", "esriFTSimple"), ("ShapeType", table.source.geometry?.rawValue ?? ""),
            ("ShapeFieldName", ReplicaTable.shapeColumn), ("HasM", "false"), ("HasZ", "false"), ("HasSpatialIndex", "true"),
            ("AreaFieldName", ""), ("LengthFieldName", ""),
        ]) + XMLText.element("Extent", type: "typens:EnvelopeN", extent) + system
    }

    static func envelope(_ box: Envelope) -> String {
        XMLText.elements([("XMin", "\(box.xmin)"), ("YMin", "\(box.ymin)"), ("XMax", "\(box.xmax)"), ("YMax", "\(box.ymax)")])
    }
}
