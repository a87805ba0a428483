extension ManifestDecoder {
    func notify(_ node: Node?) -> NotifySettings {
        var notify = NotifySettings()
        if let timeout = node?["timeout"]?.duration { notify.timeout = timeout }
        notify.metrics = path(node?["metrics"]?["textfile"])
        notify.ping = address(node?["ping"]?["url"])
        if let webhook = node?["webhook"], let url = address(webhook["url"]), let secret = secret(webhook["secret"]) {
            notify.webhook = WebhookSettings(url: url, secret: secret, occasion: occasion(webhook) ?? .always)
        }
        if let mail = node?["mail"], let from = mail["from"]?.text {
            notify.mail = MailSettings(
                to: mail["to"]?.items?.compactMap(\.text) ?? [], from: from, occasion: occasion(mail) ?? .problems,
                sendmail: mail["sendmail"]?.text.map { $0.contains("/") ? folder.resolve($0) : $0 } ?? MailSettings.sendmail)
        }
        notify.ci.summary = path(node?["ci"]?["summary"])
        notify.ci.codeQuality = path(node?["ci"]?["codeQuality"])
        if let flag = node?["ci"]?["github"]?.bool { notify.ci.usesGitHub = flag }
        return notify
    }

    private func address(_ node: Node?) -> NotifyAddress? {
        node?.text.map(NotifyAddress.url) ?? secret(node).map(NotifyAddress.secret)
    }

    private func occasion(_ node: Node) -> NotifyOccasion? { node["when"]?.text.flatMap(NotifyOccasion.init(rawValue:)) }
    private func path(_ node: Node?) -> String? { node?.text.map(folder.resolve) }
}
