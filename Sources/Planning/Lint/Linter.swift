import ArcGIS
import Basics
import Manifest

/// Every rule over every layer that the manifest takes. Reads metadata only, as `plan` does.
public struct Linter: Sendable {
    var client: ArcGISClient

    public init(client: ArcGISClient) { self.client = client }

    /// In the order of the map's layers.
    public func lint(_ manifest: Manifest) async throws(PlanRefusal) -> [LintFinding] {
        let loaded = try await MapLoader(client: client).load(manifest)
        let map = loaded.map
        let overrides = OverrideTable(loaded.overrides, layers: map.layers)
        let options = manifest.options
        var wanted = map
        wanted.layers = map.layers.filter { LayerPolicy.decision($0, overrides[$0], options) == nil }
        let catalogue = await ServiceCatalogue.read(wanted, client: client, options: loaded.assessing, known: loaded.asked)
        let shared = LayerWarnings.ofAddresses(wanted.layers.filter { overrides[$0].vectorTiles != .style })
        var findings = (loaded.problems + overrides.problems).map { problem in
            LintFinding(
                rule: WarningRule.idleOverride.rawValue, level: .error, reason: problem.failure.message + ".",
                origin: problem.origin ?? manifest.webMapOrigin)
        }
        if let warning = loaded.item.flatMap(LayerWarnings.of) {
            let stops = warning.rule == .offlineDisabled && !options.ignoreOfflineDisabled
            findings.append(
                LintFinding(
                    rule: warning.rule.rawValue, level: stops ? .error : .warning, reason: warning.reason,
                    origin: manifest.webMapOrigin))
        }
        for layer in wanted.layers {
            let origin = loaded.overrides.first { $0.match.matches(layer) }?.origin ?? manifest.webMapOrigin
            let assessment = LayerPolicy.assessment(layer, catalogue[layer], overrides[layer], options, loaded.assessing)
            if let rule = assessment.layerRule, [.onlineOnly, .unsupported].contains(assessment.verdict) {
                findings.append(
                    LintFinding(
                        rule: rule.rawValue, level: rule.stopsPlan ? .error : .warning, layer: layer.label,
                        reason: assessment.reason, origin: origin))
            }
            var warnings = Self.warnings(layer, assessment, catalogue[layer])
            warnings += [
                shared[layer.id], LayerWarnings.ofCollection(layer),
                LayerWarnings.ofCredentials(
                    assessment.serviceURL, exportHosts: loaded.assessing.exportHosts,
                    isEnterprise: loaded.portal?.isPortal == true,
                    servers: manifest.portal.servers.map(\.url)),
            ].compactMap { $0 }
            findings += warnings.map {
                LintFinding(rule: $0.rule.rawValue, layer: layer.label, reason: $0.reason, origin: origin)
            }
            if let finding = await styleFinding(layer, origin) { findings.append(finding) }
        }
        return findings.suppressing(manifest.lintIgnores)
    }

    static func warnings(_ layer: WebMapLayer, _ assessment: LayerAssessment, _ metadata: ServiceMetadata?) -> [LayerWarning] {
        switch metadata {
        case .feature(let service)?:
            let all = service.layers + service.tables
            let id = layer.layerID ?? (all.count == 1 ? all.first?.id : nil)
            return id.flatMap(service.layer).map { LayerWarnings.of($0, version: service.currentVersion) } ?? []
        case .tiled?: return (assessment.serviceURL ?? layer.url).flatMap(LayerWarnings.ofBasemap).map { [$0] } ?? []
        default: return layer.isBasemap ? layer.url.flatMap(LayerWarnings.ofBasemap).map { [$0] } ?? [] : []
        }
    }

    /// Only the map's own styles: that of a service draws the service.
    private func styleFinding(_ layer: WebMapLayer, _ origin: String) async -> LintFinding? {
        guard layer.kind == .vectorTile, let url = layer.styleURL else { return nil }
        do throws(ArcGISError) {
            return LayerWarnings.of(try await client.vectorStyle(url)).map {
                LintFinding(rule: $0.rule.rawValue, layer: layer.label, reason: $0.reason, origin: origin)
            }
        } catch {
            return LintFinding(
                rule: LayerRule.couldNotLook.rawValue, layer: layer.label,
                reason: "Could not look at its style: \(Origin(url: error.url)?.host ?? "its host") gave no usable answer.",
                origin: origin)
        }
    }
}

extension LayerRule {
    /// `plan` refuses then: nothing is known about the layer.
    var stopsPlan: Bool { self == .couldNotLook || self == .signInNeeded }
}
