import Basics

/// One thing that goes wrong: which requests it hits and what it does to them.
struct FaultRule: Sendable, Hashable {
    /// Which of the requests that fit are hit; counted per rule from 1.
    enum Selection: Sendable, Hashable {
        case all
        case nth([Int])
        case every(Int)
        case first(Int)
        case probability(Double, seed: UInt64)

        func includes(_ number: Int) -> Bool {
            switch self {
            case .all: true
            case .nth(let numbers): numbers.contains(number)
            case .every(let step): step > 0 && number % step == 0
            case .first(let count): number <= count
            case .probability(let share, let seed):
                // Splitmix64 of seed and number: the same run hits the same requests.
                Double(Self.mix(seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15) >> 11) / Double(1 << 53)
                    < share
            }
        }

        private static func mix(_ value: UInt64) -> UInt64 {
            var value = value
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    enum Replacement: String, Sendable, Hashable { case html, json, garbage, empty }

    enum Action: Sendable, Hashable {
        case status(Int, retryAfter: String?)
        case jsonError(code: Int, message: String, details: [String], retryAfter: String?)
        case html(String)
        case delay(Double)
        case cutAfter(Int)
        case wrongLength(Int)
        case truncateFile(Int)
        case replaceFile(Replacement)
        case job(JobTable.Fault)
        /// All tokens given so far stop being valid.
        case expireTokens
        case redirect(String)
        /// In texts and headers of answers: each key becomes its value. `{token}` is the token of the request.
        case rewrite([String: String])
        /// The body comes at this pace.
        case bytesPerSecond(Int)
    }

    var path: String
    var method: String?
    /// Text that a parameter must contain, by parameter name.
    var parameters: [String: String] = [:]
    var selection = Selection.all
    var actions: [Action]

    func fits(_ request: Request) -> Bool {
        guard method == nil || method == request.method, Glob.matches(path, request.path) else { return false }
        return parameters.allSatisfy { name, text in request.parameters[name]?.contains(text) ?? false }
    }
}

/// The rules with their counters. All rules that fit count; all that are hit act.
struct FaultTable: Sendable {
    private var rules: [(rule: FaultRule, count: Int)]

    init(_ rules: [FaultRule] = []) { self.rules = rules.map { ($0, 0) } }

    var isEmpty: Bool { rules.isEmpty }

    mutating func actions(for request: Request) -> [FaultRule.Action] {
        var result: [FaultRule.Action] = []
        for index in rules.indices where rules[index].rule.fits(request) {
            rules[index].count += 1
            if rules[index].rule.selection.includes(rules[index].count) { result += rules[index].rule.actions }
        }
        return result
    }
}
