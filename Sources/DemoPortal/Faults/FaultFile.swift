import Basics

/// Reads the YAML list of `--faults` (docs/demo-portal.md shows every key).
enum FaultFile {
    private static let ruleKeys = ["path", "method", "nth", "every", "first", "probability", "seed", "parameters"]
    private static let actionKeys = [
        "status", "retryAfter", "jsonError", "html", "delay", "cutAfter", "wrongLength", "truncateFile", "replaceFile", "job",
        "tokenExpiry", "redirect", "rewrite", "bytesPerSecond",
    ]

    static func read(_ text: String) throws(ConfigurationError) -> [FaultRule] {
        let tree: JSON
        do throws(YAMLReader.SyntaxError) { tree = try YAMLReader.read(text) } catch {
            throw ConfigurationError(message: "line \(error.line): \(error.reason)")
        }
        if tree.isNull { return [] }
        guard let items = tree.array else { throw ConfigurationError(message: "a fault file is a list of rules") }
        var rules: [FaultRule] = []
        for (index, item) in items.enumerated() {
            do throws(ConfigurationError) { rules.append(try rule(item)) } catch {
                throw ConfigurationError(message: "rule \(index + 1): \(error.message)")
            }
        }
        return rules
    }

    private static func rule(_ item: JSON) throws(ConfigurationError) -> FaultRule {
        for key in item.object?.keys ?? [] where !(ruleKeys + actionKeys).contains(key) {
            let hint = nearestName(to: key, among: ruleKeys + actionKeys).map { ", did you mean \($0)?" } ?? ""
            throw ConfigurationError(message: "unknown key \(key)\(hint)")
        }
        guard let path = item["path"]?.string else { throw ConfigurationError(message: "path is missing") }
        let actions = try actions(item)
        if actions.isEmpty { throw ConfigurationError(message: "no action; known are \(actionKeys.joined(separator: ", "))") }
        var parameters: [String: String] = [:]
        for member in item["parameters"]?.object?.members ?? [] { parameters[member.key] = member.value.text ?? "" }
        return FaultRule(
            path: path, method: item["method"]?.string?.uppercased(), parameters: parameters, selection: try selection(item),
            actions: actions)
    }

    private static func selection(_ item: JSON) throws(ConfigurationError) -> FaultRule.Selection {
        if let nth = item["nth"] {
            let numbers = (nth.array ?? [nth]).compactMap(\.int)
            if numbers.isEmpty { throw ConfigurationError(message: "nth is a number or a list of numbers") }
            return .nth(numbers)
        }
        if let step = item["every"]?.int { return .every(step) }
        if let count = item["first"]?.int { return .first(count) }
        if let share = item["probability"]?.double {
            return .probability(share, seed: UInt64(bitPattern: Int64(item["seed"]?.int ?? 1)))
        }
        return .all
    }

    private static func actions(_ item: JSON) throws(ConfigurationError) -> [FaultRule.Action] {
        var actions: [FaultRule.Action] = []
        let retryAfter = item["retryAfter"]?.text
        if let seconds = item["delay"]?.double { actions.append(.delay(seconds)) }
        if item["tokenExpiry"]?.bool == true { actions.append(.expireTokens) }
        if let status = item["status"]?.int { actions.append(.status(status, retryAfter: retryAfter)) }
        if let error = item["jsonError"] {
            actions.append(
                .jsonError(
                    code: error["code"]?.int ?? 500, message: error["message"]?.text ?? "",
                    details: (error["details"]?.array ?? []).compactMap(\.text), retryAfter: retryAfter))
        }
        if let html = item["html"] {
            actions.append(.html(html.string ?? "<html><head><title>Gateway</title></head><body>Gateway</body></html>"))
        }
        if let target = item["redirect"]?.string { actions.append(.redirect(target)) }
        if let members = item["rewrite"]?.object?.members {
            actions.append(.rewrite(members.reduce(into: [:]) { $0[$1.key] = $1.value.text }))
        }
        if let rate = item["bytesPerSecond"]?.int, rate > 0 { actions.append(.bytesPerSecond(rate)) }
        if let bytes = item["cutAfter"]?.int { actions.append(.cutAfter(bytes)) }
        if let length = item["wrongLength"]?.int { actions.append(.wrongLength(length)) }
        if let bytes = item["truncateFile"]?.int { actions.append(.truncateFile(bytes)) }
        if let word = item["replaceFile"]?.text {
            guard let kind = FaultRule.Replacement(rawValue: word) else {
                throw ConfigurationError(message: "replaceFile is html, json, garbage or empty, not \(word)")
            }
            actions.append(.replaceFile(kind))
        }
        if let word = item["job"]?.text {
            guard let fault = JobTable.Fault(rawValue: word) else {
                throw ConfigurationError(
                    message: "job is fails, sticks, forgets, losesResult, completesWithErrors or dropsRows, not \(word)")
            }
            actions.append(.job(fault))
        }
        return actions
    }
}
