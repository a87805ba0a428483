import ArcGIS
import Basics
import Foundation
import Geography
import Planning
import TestSupport
import Testing

@testable import Reporting

@Suite struct PlanTextTests {
    @Test("The plan for people, line by line")
    func text() {
        let mask = Redaction.mark
        #expect(
            PlanText(plan: Samples.plan, page: Page(width: 110)).lines == [
                "naperville-water: Naperville water network (acc027394bc84c2fb04d1ed317aac674) from https://www.arcgis.com",
                "",
                "downtown",
                "  VERDICT      LAYER                 WHAT AND WHY",
                "  tiles        World Street Map      exportTiles, levels 12,13, new: the service exports its tiles",
                "  replica      Water / Hydrant       createReplica, new: the service syncs",
                "  online only  Traffic               the service does not allow exportTiles",
                "  tiles        Storm                 The service has nothing in this area: the layer stays online here.",
                "  excluded     Water / System Valve  left out by the manifest",
                "",
                "  downtown/street/tiles: new, 1,204 tiles, ≈ 18.0 MB (9.1–26.9 MB, 24 tiles sampled)",
                "    tiles   by level 12: 4, 13: 1,200",
                "    POST    https://h/MapServer/exportTiles?token=\(mask)",
                "    sends   exportBy=levelID levels=12,13 token=\(mask)",
                "",
                "  downtown/water/replica: new, about 310 rows",
                "    POST    https://h/FeatureServer/createReplica",
                "    sends   layers=0 syncModel=none",
                "",
                "  then downtown/package (a \"quoted\" \\ reason)",
                "",
                "Total: 1 area, 5 layers, 3 jobs, 1,204 tiles, about 310 rows, ≈ 18.0 MB",
                "1 layer needs a network: reasons above.",
                "Plan \(Samples.plan.hash.prefix(12)). Nothing was started; samples were looked at.",
            ])
    }

    @Test("What became of an area is said below its name, and to programs")
    func remarks() {
        var plan = Samples.plan
        plan.areas[0].remarks = [.repaired, .simplified(from: 20_001, to: 151, growth: 0.00098)]
        let lines = PlanText(plan: plan, page: Page(width: 110)).lines
        #expect(
            lines[3...4] == [
                "  Note: its polygon crosses itself; what its rings enclose is taken",
                "  Note: its border is simplified outward from 20001 to 151 vertices; the area grows by 0.1 %",
            ])
        let area = PlanJSON.json(plan)["areas"]?[0]
        #expect(area?["repaired"] == true && area?["notes"]?.array?.count == 2)
        #expect(area?["extent"]?.array?.map(\.double) == [0, 0, 1, 1])
    }

    @Test("An area whose map stays has no request, and the plan says why and what to do")
    func held() {
        var plan = Samples.plan
        plan.drift = [
            Drift(layer: LayerLabel(id: "hydrant-2", title: "Hydrant"), change: .fieldRemoved("NOTES"), areas: ["downtown"])
        ]
        let accepted = PlanText(plan: plan, page: Page(width: 110)).lines
        #expect(accepted.contains { $0.contains("POST") } && !accepted.contains { $0.contains("--on-drift") })
        plan.held = ["downtown": "Hydrant (hydrant-2) has lost the field NOTES"]
        #expect(plan.hash == Samples.plan.hash)
        let lines = PlanText(plan: plan, page: Page(width: 110)).lines
        #expect(
            lines.contains(
                "downtown: keeps its last good map, nothing is fetched: Hydrant (hydrant-2) has lost the field NOTES"))
        #expect(!lines.contains { $0.contains("POST") } && lines.joined(separator: " ").contains("`--on-drift"))
        #expect(PlanJSON.json(plan)["areas"]?[0]?["held"]?.string == plan.held["downtown"])
    }

    @Test("Of a layer that nobody could look at the plan shows no request")
    func unreachable() throws {
        var plan = Samples.plan
        let index = try #require(plan.jobs.firstIndex { $0.id == "downtown/water/replica" })
        plan.jobs[index].reason = "it could not be looked at"
        plan.jobs[index].unreachable = Failure(phase: .metadata, kind: .transient, code: 503, message: "")
        let lines = PlanText(plan: plan, page: Page(width: 110)).lines
        let line = try #require(lines.firstIndex { $0.hasPrefix("  downtown/water/replica: it could not be looked at") })
        #expect(lines[line + 1] == "    keeps   the file of the last good map; nothing is sent")
        #expect(lines[line + 2] == "" && !lines.contains { $0.contains("createReplica") && $0.contains("POST") })
    }

    @Test("In full, each parameter has its line")
    func verbose() {
        let lines = PlanText(plan: Samples.plan, page: Page(width: 110, isVerbose: true)).lines
        #expect(lines.contains("    sends   layers=0"))
        #expect(lines.contains("            syncModel=none"))
        #expect(lines.contains("  from 0.0, 0.0 to 1.0, 1.0 in degrees, its buffer included"))
    }

    @Test("Levels with the same number of tiles are told together")
    func levelRuns() {
        let counts = [3: 2, 0: 1, 1: 1, 2: 1, 6: 1_200, 4: 2].map { TileCount(level: $0.key, count: $0.value) }
        #expect(
            LevelRun.runs(of: counts).map(\.text) == [
                "0-2:\u{A0}1\u{A0}each", "3-4:\u{A0}2\u{A0}each", "6:\u{A0}1,200",
            ])
    }

    @Test("A layer's own selection is said: its clause, rows that are not cut, rows that come with others")
    func selection() throws {
        var plan = Samples.plan
        plan.layers[1].serviceLayerID = 0
        func why(_ query: String) throws -> String {
            guard case .replica(var work) = plan.jobs[1].work else { return "" }
            work.request.parameters["layerQueries"] = #"{"0":"# + query + "}"
            plan.jobs[1].work = .replica(work)
            let line = try #require(PlanText(plan: plan, page: Page(width: 160)).lines.first { $0.contains("Water / Hydrant") })
            return String(line[try #require(line.range(of: "createReplica")).lowerBound...])
        }
        #expect(
            try why(#"{"queryOption":"useFilter","useGeometry":false,"where":"FLOW >= 500"}"#)
                == "createReplica, where FLOW >= 500, not cut to the area, new: the service syncs")
        #expect(try why(#"{"queryOption":"useFilter","useGeometry":true}"#) == "createReplica, new: the service syncs")
        #expect(
            try why(#"{"queryOption":"none","useGeometry":false,"includeRelated":true}"#)
                == "createReplica, only rows related to those of other layers, new: the service syncs")
    }

    @Test("plan --json has the keys of the contract; what is unknown is null")
    func json() throws {
        let json = PlanJSON.json(Samples.plan)
        #expect(json["hash"]?.string == Samples.plan.hash)
        let jobs = try #require(json["jobs"]?.array)
        for job in jobs {
            for key in ["id", "kind", "area", "layer", "reason", "dependsOn", "estimate", "request"] {
                #expect(job[key] != nil, "\(key)")
            }
        }
        #expect(jobs[0]["layer"] == "World Street Map")
        #expect(
            jobs[0]["estimate"] == [
                "tiles": 1204, "rows": .null, "layers": [], "bytes": 18_000_000, "bytesLow": 9_100_000, "bytesHigh": 26_900_000,
                "sampled": 24, "sizeFrom": "tiles",
                "sizeProblem": .null,
            ])
        #expect(jobs[1]["request"]?["parameters"] == ["layers": "0", "syncModel": "none"])
        #expect(jobs[2]["request"] == .null)
        #expect(json["gaps"] == [["area": "downtown", "layer": ["id": "storm-6", "title": "Storm"]]])
        #expect(jobs[2]["dependsOn"] == ["downtown/street/tiles", "downtown/water/replica"])
    }

    private static let servers = [
        ServerStanding(
            url: "https://gis.example.org/portal", kind: .portal, account: .init(.user, name: "night"),
            route: .excepted(entry: ".example.org", by: .variable("no_proxy"))),
        ServerStanding(
            url: "https://fed.example.net/server", kind: .federated, account: .init(.user, name: "night"),
            route: .proxy(url: "http://proxy:3128", user: "bob", by: .configuration)),
        ServerStanding(
            url: "https://h/arcgis", kind: .ownSignIn, account: .init(.token),
            route: .proxy(url: "http://proxy:3128", user: nil, by: .variable("https_proxy"))),
        ServerStanding(url: "https://open", kind: .open, route: .excepted(entry: "open", by: .configuration)),
        ServerStanding(url: "https://refused", kind: .federated), ServerStanding(url: "https://closed", kind: .closed),
    ]

    @Test("Each server: what it is, who we are there, which way it is reached")
    func servers() {
        var plan = Samples.plan
        plan.servers = Self.servers
        #expect(
            PlanText(plan: plan, page: Page(width: 160)).lines[1...7] == [
                "  SERVER                          WHAT IT IS                 WE ARE THERE                              REACHED",
                "  https://gis.example.org/portal  the portal                 user night                                directly (`.example.org` in no_proxy)",
                "  https://fed.example.net/server  federated with the portal  user night                                through http://proxy:3128 as bob (portal.proxy)",
                "  https://h/arcgis                own sign-in                a given token                             through http://proxy:3128 (https_proxy)",
                "  https://open                    open                       nobody                                    directly (`open` in portal.proxy.noProxy)",
                "  https://refused                 federated with the portal  nobody: the portal makes no token for it  directly",
                "  https://closed                  wants a sign-in            nobody                                    directly",
            ])
        // Without a proxy nobody asks for the way.
        plan.servers = [
            ServerStanding(url: "https://a", kind: .portal, account: .init(.application, name: "app1")),
            ServerStanding(url: "https://b", kind: .federated, account: .init(.apiKey, name: "jane")),
            ServerStanding(url: "https://c", kind: .open, account: .init(.web, name: "EXAMPLE\\jane")),
        ]
        #expect(
            PlanText(plan: plan, page: Page(width: 110)).lines[1...4] == [
                "  SERVER     WHAT IT IS                 WE ARE THERE",
                "  https://a  the portal                 application app1",
                "  https://b  federated with the portal  an API key of jane",
                "  https://c  open                       Windows sign-in as EXAMPLE\\jane",
            ])
    }

    @Test("The same for programs; who asked is no part of what is done")
    func serversAsJSON() {
        var plan = Samples.plan
        plan.servers = Self.servers
        let servers = PlanJSON.json(plan)["servers"]
        #expect(
            servers?[0] == [
                "url": "https://gis.example.org/portal", "kind": "portal", "account": ["kind": "user", "name": "night"],
                "proxy": .null, "exception": ["entry": ".example.org", "from": "no_proxy"],
            ])
        #expect(servers?[1]?["proxy"] == ["url": "http://proxy:3128", "user": "bob", "from": "portal.proxy"])
        #expect(servers?[2]?["account"] == ["kind": "token", "name": .null])
        #expect(servers?[2]?["proxy"] == ["url": "http://proxy:3128", "user": .null, "from": "https_proxy"])
        #expect(servers?[3]?["account"] == .null && servers?[3]?["exception"]?["from"] == "portal.proxy.noProxy")
        #expect(servers?[4]?["proxy"] == .null && servers?[4]?["exception"] == .null)
        #expect(plan.hash == Samples.plan.hash)
    }

    @Test("A service without jobs of its own is said once, with what to expect and what to do")
    func synchronous() throws {
        var plan = Samples.plan
        guard case .replica(var work) = plan.jobs[1].work else { throw NoReplica() }
        work.serviceURL = "https://h/rest/services/Water/FeatureServer"
        work.request.parameters["async"] = "false"
        plan.jobs[1].work = .replica(work)
        var second = plan.jobs[1]
        second.id = "uptown/water/replica"
        plan.jobs.append(second)
        let text = PlanText(plan: plan, page: Page(width: 110)).lines
        #expect(text.count { $0.hasPrefix("Note: Water makes each replica while the request waits") } == 1)
        let note = text.joined(separator: " ")
        for words in ["502, 504, timed out", "limits.jobDeadline (2 h 00 m)", "`attachments: false`", "smaller", "`where`"] {
            #expect(note.contains(words), "\(words)")
        }
        let json = PlanJSON.json(plan)
        #expect(json["notes"]?.array?.count == 1)
        #expect(json["jobs"]?.array?.map { $0["async"] } == [true, false, .null, false])
        #expect(PlanJSON.json(Samples.plan)["jobs"]?[1]?["async"] == true)
    }

    private struct NoReplica: Error {}

    @Test("Rows that nobody has counted are no proof of a filter")
    func uncounted() {
        var plan = Samples.plan
        guard case .replica(var work) = plan.jobs[1].work else { return }
        work.layers = [
            ReplicaLayer(layerID: 0, name: "Hydrant", isTable: false, countQuery: ServiceRequest(url: "u", parameters: [:]))
        ]
        plan.jobs[1].work = .replica(work)
        let words = "No rows were counted for 1 job: a filter that a service refuses would be found by the run only."
        #expect(!PlanText(plan: plan, page: Page(width: 110)).lines.contains(words))
        plan.jobs[1].estimate = Estimate()
        #expect(PlanText(plan: plan, page: Page(width: 110)).lines.contains(words))
    }

    @Test("The graph is DOT: braces pair, strings close, every edge has two known nodes")
    func dot() throws {
        let graph = try DotReader(PlanDot.text(Samples.plan))
        #expect(graph.nodes == ["downtown/street/tiles", "downtown/water/replica", "downtown/package"])
        #expect(
            graph.edges == [
                ["downtown/street/tiles", "downtown/package"], ["downtown/water/replica", "downtown/package"],
            ])
        #expect(graph.labels["downtown/package"] == #"package\na "quoted" \ reason"#)
    }
}

/// As much of the DOT grammar as a graph of boxes needs: `digraph ID { … }`, subgraphs, `"a" [k=v, …];`, `"a" -> "b";`, `k=v;`.
struct DotReader {
    struct Broken: Error { var at: String }

    private(set) var nodes: [String] = []
    private(set) var edges: [[String]] = []
    private(set) var labels: [String: String] = [:]
    private var tokens: [(text: String, isQuoted: Bool)] = []

    init(_ text: String) throws {
        tokens = try Self.tokens(text).reversed()
        try expect("digraph")
        _ = try next()
        try block()
        guard tokens.isEmpty else { throw Broken(at: "after the end") }
    }

    private mutating func block() throws {
        try expect("{")
        while true {
            let first = try next()
            switch tokens.last?.text {
            case _ where first.text == "}" && !first.isQuoted: return
            case _ where first.text == "subgraph":
                _ = try next()
                try block()
            case "=":
                _ = try next()
                _ = try next()
                try expect(";")
            case "->":
                _ = try next()
                edges.append([first.text, try next().text])
                try expect(";")
            case "[":
                let attributes = try attributes()
                if first.isQuoted {
                    nodes.append(first.text)
                    labels[first.text] = attributes["label"]
                }
                try expect(";")
            default: throw Broken(at: first.text)
            }
        }
    }

    private mutating func attributes() throws -> [String: String] {
        try expect("[")
        var attributes: [String: String] = [:]
        while true {
            let key = try next().text
            try expect("=")
            attributes[key] = try next().text
            let separator = try next().text
            if separator == "]" { return attributes }
            guard separator == "," else { throw Broken(at: separator) }
        }
    }

    private mutating func next() throws -> (text: String, isQuoted: Bool) {
        guard let token = tokens.popLast() else { throw Broken(at: "end") }
        return token
    }

    private mutating func expect(_ text: String) throws {
        let token = try next()
        guard token.text == text, !token.isQuoted else { throw Broken(at: token.text) }
    }

    private static func tokens(_ text: String) throws -> [(text: String, isQuoted: Bool)] {
        var tokens: [(text: String, isQuoted: Bool)] = []
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "\"" {
                rest.removeFirst()
                var content = ""
                while let character = rest.popFirst(), character != "\"" || false {
                    guard character == "\\" else {
                        content.append(character)
                        continue
                    }
                    guard let escaped = rest.popFirst() else { throw Broken(at: "open string") }
                    // `\n` is a line break of the label and stays visible here.
                    content += escaped == "\"" || escaped == "\\" ? String(escaped) : "\\" + String(escaped)
                }
                tokens.append((content, true))
            } else if rest.hasPrefix("->") {
                rest = rest.dropFirst(2)
                tokens.append(("->", false))
            } else if "{}[]=;,".contains(first) {
                rest.removeFirst()
                tokens.append((String(first), false))
            } else {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                guard !word.isEmpty else { throw Broken(at: String(first)) }
                rest = rest.dropFirst(word.count)
                tokens.append((String(word), false))
            }
        }
        return tokens
    }
}
