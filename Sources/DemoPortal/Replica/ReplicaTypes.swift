/// The fixed rows of `GDB_ItemTypes` and `GDB_ItemRelationshipTypes`, and the UUIDs that items refer to (formats.md 3.3).
enum ReplicaTypes {
    static let folder = "{F3783E6F-65CA-4514-8315-CE3985DAD3B1}"
    static let workspace = "{C673FE0F-7280-404F-8532-20755DD8FC06}"
    static let historicalMarker = "{DC64B6E4-DC0F-43BD-B4F5-F22385DCF055}"
    static let featureClass = "{70737809-852C-4A03-9E22-2CECEA5B9BFA}"
    static let table = "{CD06BC3B-789D-4C51-AAFA-A467912B8965}"
    static let relationshipClass = "{B606A7E1-FA5B-439C-849C-6E9C2481537B}"
    static let codedDomain = "{8C368B12-A12E-4C7E-9638-C9C64E69E98F}"
    static let rangeDomain = "{C29DA988-8C3E-45F7-8B5C-18E51EE7BEB4}"
    static let syncReplica = "{5B966567-FB87-4DDE-938B-B4B37423539D}"
    static let syncDataset = "{D86502F9-9758-45C6-9D23-6DD1A0107B47}"

    static let datasetInFolder = "{DC78F1AB-34E4-43AC-BA47-1C4EABD0E7C7}"
    static let domainInDataset = "{17E08ADB-2B31-4DCD-8FDD-DF529E88F843}"
    static let relatedThrough = "{725BADAB-3452-491B-A795-55F32D67229C}"
    static let datasetInReplica = "{CC28387C-441F-4D7C-A802-41A160317FE0}"
    static let datasetOfSyncDataset = "{79CC71C8-B7D9-4141-9014-B6373E236ABB}"

    static let items: [(id: String, name: String, parent: String)] = [
        ("{8405ADD5-8DF8-4227-8FAC-3FCADE073386}", "Item", "{00000000-0000-0000-0000-000000000000}"),
        ("{F3783E6F-65CA-4514-8315-CE3985DAD3B1}", "Folder", "{8405ADD5-8DF8-4227-8FAC-3FCADE073386}"),
        ("{FFD09C28-FE70-4E25-907C-AF8E8A5EC5F3}", "Resource", "{8405ADD5-8DF8-4227-8FAC-3FCADE073386}"),
        ("{28DA9E89-FF80-4D6D-8926-4EE2B161677D}", "Dataset", "{FFD09C28-FE70-4E25-907C-AF8E8A5EC5F3}"),
        ("{FBDD7DD6-4A25-40B7-9A1A-ECC3D1172447}", "Tin", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{D4912162-3413-476E-9DA4-2AEFBBC16939}", "AbstractTable", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{B606A7E1-FA5B-439C-849C-6E9C2481537B}", "Relationship Class", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{74737149-DCB5-4257-8904-B9724E32A530}", "Feature Dataset", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{73718A66-AFB9-4B88-A551-CFFA0AE12620}", "Geometric Network", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{767152D3-ED66-4325-8774-420D46674E07}", "Topology", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{E6302665-416B-44FA-BE33-4E15916BA101}", "Survey Dataset", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{D5A40288-029E-4766-8C81-DE3F61129371}", "Schematic Dataset", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{DB1B697A-3BB6-426A-98A2-6EE7A4C6AED3}", "Toolbox", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{C673FE0F-7280-404F-8532-20755DD8FC06}", "Workspace", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{DC9EF677-1AA3-45A7-8ACD-303A5202D0DC}", "Workspace Extension", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{77292603-930F-475D-AE4F-B8970F42F394}", "Extension Dataset", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{8637F1ED-8C04-4866-A44A-1CB8288B3C63}", "Domain", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{4ED4A58E-621F-4043-95ED-850FBA45FCBC}", "Replica", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{D98421EB-D582-4713-9484-43304D0810F6}", "Replica Dataset", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{DC64B6E4-DC0F-43BD-B4F5-F22385DCF055}", "Historical Marker", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{CD06BC3B-789D-4C51-AAFA-A467912B8965}", "Table", "{D4912162-3413-476E-9DA4-2AEFBBC16939}"),
        ("{70737809-852C-4A03-9E22-2CECEA5B9BFA}", "Feature Class", "{D4912162-3413-476E-9DA4-2AEFBBC16939}"),
        ("{5ED667A3-9CA9-44A2-8029-D95BF23704B9}", "Raster Dataset", "{D4912162-3413-476E-9DA4-2AEFBBC16939}"),
        ("{35B601F7-45CE-4AFF-ADB7-7702D3839B12}", "Raster Catalog", "{D4912162-3413-476E-9DA4-2AEFBBC16939}"),
        ("{7771FC7D-A38B-4FD3-8225-639D17E9A131}", "Network Dataset", "{77292603-930F-475D-AE4F-B8970F42F394}"),
        ("{76357537-3364-48AF-A4BE-783C7C28B5CB}", "Terrain", "{77292603-930F-475D-AE4F-B8970F42F394}"),
        ("{A3803369-5FC2-4963-BAE0-13EFFC09DD73}", "Parcel Fabric", "{77292603-930F-475D-AE4F-B8970F42F394}"),
        ("{A300008D-0CEA-4F6A-9DFA-46AF829A3DF2}", "Representation Class", "{77292603-930F-475D-AE4F-B8970F42F394}"),
        ("{787BEA35-4A86-494F-BB48-500B96145B58}", "Catalog Dataset", "{77292603-930F-475D-AE4F-B8970F42F394}"),
        ("{F8413DCB-2248-4935-BFE9-315F397E5110}", "Mosaic Dataset", "{77292603-930F-475D-AE4F-B8970F42F394}"),
        ("{8C368B12-A12E-4C7E-9638-C9C64E69E98F}", "Coded Value Domain", "{8637F1ED-8C04-4866-A44A-1CB8288B3C63}"),
        ("{C29DA988-8C3E-45F7-8B5C-18E51EE7BEB4}", "Range Domain", "{8637F1ED-8C04-4866-A44A-1CB8288B3C63}"),
        ("{5B966567-FB87-4DDE-938B-B4B37423539D}", "Sync Replica", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
        ("{D86502F9-9758-45C6-9D23-6DD1A0107B47}", "Sync Dataset", "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"),
    ]

    struct Relationship: Sendable {
        var id: String
        var name: String
        var forward: String
        var backward: String
        var origin: String
        var destination: String
        var isContainment: Bool
    }

    static let relationships: [Relationship] = [
        Relationship(
            id: "{0D10B3A7-2F64-45E6-B7AC-2FC27BF2133C}", name: "FolderInFolder", forward: "Parent Folder Of",
            backward: "Child Folder Of",
            origin: "{F3783E6F-65CA-4514-8315-CE3985DAD3B1}", destination: "{F3783E6F-65CA-4514-8315-CE3985DAD3B1}",
            isContainment: true),
        Relationship(
            id: "{5DD0C1AF-CB3D-4FEA-8C51-CB3BA8D77CDB}", name: "ItemInFolder", forward: "Contains Item",
            backward: "Contained In Folder",
            origin: "{F3783E6F-65CA-4514-8315-CE3985DAD3B1}", destination: "{8405ADD5-8DF8-4227-8FAC-3FCADE073386}",
            isContainment: true),
        Relationship(
            id: "{A1633A59-46BA-4448-8706-D8ABE2B2B02E}", name: "DatasetInFeatureDataset", forward: "Contains Dataset",
            backward: "Contained In FeatureDataset",
            origin: "{74737149-DCB5-4257-8904-B9724E32A530}", destination: "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}",
            isContainment: true),
        Relationship(
            id: "{DC78F1AB-34E4-43AC-BA47-1C4EABD0E7C7}", name: "DatasetInFolder", forward: "Contains Dataset",
            backward: "Contained in Dataset",
            origin: "{F3783E6F-65CA-4514-8315-CE3985DAD3B1}", destination: "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}",
            isContainment: true),
        Relationship(
            id: "{17E08ADB-2B31-4DCD-8FDD-DF529E88F843}", name: "DomainInDataset", forward: "Contains Domain",
            backward: "Contained in Dataset",
            origin: "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}", destination: "{8637F1ED-8C04-4866-A44A-1CB8288B3C63}",
            isContainment: false),
        Relationship(
            id: "{725BADAB-3452-491B-A795-55F32D67229C}", name: "DatasetsRelatedThrough", forward: "Origin Of",
            backward: "Destination Of",
            origin: "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}", destination: "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}",
            isContainment: false),
        Relationship(
            id: "{D088B110-190B-4229-BDF7-89FDDD14D1EA}", name: "FeatureClassInTopology",
            forward: "Spatially Manages Feature Class", backward: "Participates In Topology",
            origin: "{767152D3-ED66-4325-8774-420D46674E07}", destination: "{70737809-852C-4A03-9E22-2CECEA5B9BFA}",
            isContainment: false),
        Relationship(
            id: "{DC739A70-9B71-41E8-868C-008CF46F16D7}", name: "FeatureClassInGeometricNetwork",
            forward: "Spatially Manages Feature Class", backward: "Participates In Geometric Network",
            origin: "{73718A66-AFB9-4B88-A551-CFFA0AE12620}", destination: "{70737809-852C-4A03-9E22-2CECEA5B9BFA}",
            isContainment: false),
        Relationship(
            id: "{B32B8563-0B96-4D32-92C4-086423AE9962}", name: "FeatureClassInNetworkDataset",
            forward: "Spatially Manages Feature Class", backward: "Participates In Network Dataset",
            origin: "{7771FC7D-A38B-4FD3-8225-639D17E9A131}", destination: "{70737809-852C-4A03-9E22-2CECEA5B9BFA}",
            isContainment: false),
        Relationship(
            id: "{55D2F4DC-CB17-4E32-A8C7-47591E8C71DE}", name: "FeatureClassInTerrain",
            forward: "Spatially Manages Feature Class", backward: "Participates In Terrain",
            origin: "{76357537-3364-48AF-A4BE-783C7C28B5CB}", destination: "{70737809-852C-4A03-9E22-2CECEA5B9BFA}",
            isContainment: false),
        Relationship(
            id: "{583A5BAA-3551-41AE-8AA8-1185719F3889}", name: "FeatureClassInParcelFabric",
            forward: "Spatially Manages Feature Class", backward: "Participates In Parcel Fabric",
            origin: "{A3803369-5FC2-4963-BAE0-13EFFC09DD73}", destination: "{70737809-852C-4A03-9E22-2CECEA5B9BFA}",
            isContainment: false),
        Relationship(
            id: "{5F9085E0-788F-4354-AE3C-34C83A7EA784}", name: "TableInParcelFabric", forward: "Manages Table",
            backward: "Participates In Parcel Fabric",
            origin: "{A3803369-5FC2-4963-BAE0-13EFFC09DD73}", destination: "{CD06BC3B-789D-4C51-AAFA-A467912B8965}",
            isContainment: false),
        Relationship(
            id: "{E79B44E3-F833-4B12-90A1-364EC4DDC43E}", name: "RepresentationOfFeatureClass",
            forward: "Feature Class Representation", backward: "Represented Feature Class",
            origin: "{70737809-852C-4A03-9E22-2CECEA5B9BFA}", destination: "{A300008D-0CEA-4F6A-9DFA-46AF829A3DF2}",
            isContainment: false),
        Relationship(
            id: "{8DB31AF1-DF7C-4632-AA10-3CC44B0C6914}", name: "ReplicaDatasetInReplica", forward: "Replicated Dataset",
            backward: "Participates In Replica",
            origin: "{4ED4A58E-621F-4043-95ED-850FBA45FCBC}", destination: "{D98421EB-D582-4713-9484-43304D0810F6}",
            isContainment: true),
        Relationship(
            id: "{D022DE33-45BD-424C-88BF-5B1B6B957BD3}", name: "DatasetOfReplicaDataset", forward: "Replicated Dataset",
            backward: "Dataset of Replicated Dataset",
            origin: "{D98421EB-D582-4713-9484-43304D0810F6}", destination: "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}",
            isContainment: false),
        Relationship(
            id: "{CC28387C-441F-4D7C-A802-41A160317FE0}", name: "SyncDatasetInSyncReplica", forward: "Sync Dataset",
            backward: "Participates In Sync Replica",
            origin: "{5B966567-FB87-4DDE-938B-B4B37423539D}", destination: "{D86502F9-9758-45C6-9D23-6DD1A0107B47}",
            isContainment: true),
        Relationship(
            id: "{79CC71C8-B7D9-4141-9014-B6373E236ABB}", name: "DatasetOfSyncDataset", forward: "Replicated Dataset",
            backward: "Dataset Of Sync Dataset",
            origin: "{D86502F9-9758-45C6-9D23-6DD1A0107B47}", destination: "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}",
            isContainment: false),
    ]
}
