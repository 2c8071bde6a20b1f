// What the configuration says about webhooks: where they may lead, and the key that seals their secrets.
import Domain
import Fetch
import Platform

package struct WebhookRules: Sendable {
    package let policy: FetchPolicy
    let key: SecretBoxKey
    /// On a test deployment the only hosts, or hosts with their ports, that anything is sent to; nil for everywhere (B63).
    private let onlyTo: Set<String>?

    package init(policy: FetchPolicy, key: SecretBoxKey, onlyTo: Set<String>? = nil) {
        self.policy = policy
        self.key = key
        self.onlyTo = onlyTo
    }

    /// Why nothing may be sent to an address, as a sentence; nil where it may.
    func objection(to url: String) -> String? {
        guard let onlyTo else { return nil }
        let rest = url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first.map(String.init) ?? ""
        let host = rest.split(separator: ":").first.map(String.init) ?? ""
        if onlyTo.contains(rest) || onlyTo.contains(host) { return nil }
        return "Nothing was sent: this is a test deployment, and webhooks.allow_private does not name \(rest)."
    }

    /// Throws `ConfigurationError` where a list holds what it cannot. Opening the key makes its file when there is none.
    package init(_ settings: Settings) throws {
        let webhooks = settings.webhooks
        var problems: [String] = []
        let exceptions = webhooks.allowPrivate.compactMap { text in
            let exception = FetchPolicy.Exception(text)
            if exception == nil { problems.append("webhooks.allow_private: \"\(text)\" is no host, nor host:port.") }
            return exception
        }
        let ports = webhooks.ports.compactMap { text in
            let port = Int(text).flatMap { (1...65535).contains($0) ? $0 : nil }
            if port == nil { problems.append("webhooks.ports: \"\(text)\" is no port.") }
            return port
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        policy = FetchPolicy(allowsHTTP: webhooks.allowsHTTP, ports: Set(ports), exceptions: exceptions)
        onlyTo = settings.environment == .test ? Set(webhooks.allowPrivate) : nil
        key = SecretBoxKey(given: webhooks.key, path: settings.directories.data + "/webhooks.key")
    }

    /// Makes the key's file when there is none yet. Throws a sentence for the operator.
    package func prepareKey() throws {
        _ = try key.box()
    }

    /// The key of the links that follow from the same key; nil when that is unusable.
    package func linkKey(_ purpose: String) -> LinkKey? { try? key.box().linkKey(purpose) }

    /// A box for other secrets, whose key follows from the same key; nil when that is unusable.
    package func box(for purpose: String) -> SecretBox? { try? key.box().box(for: purpose) }

    func seal(_ secret: WebhookSecret) throws -> [UInt8] {
        do {
            return try key.box().seal(secret.key)
        } catch let problem as SecretBoxKey.Unusable {
            throw Failure.refused(code: "key", message: "The secret cannot be kept safely. " + problem.description)
        }
    }

    /// The secrets that messages are signed with now, the newest first. Throws when the key is another one by now.
    func open(_ first: [UInt8], _ second: [UInt8]?) throws -> [WebhookSecret] {
        let box = try key.box()
        return try ([first] + (second.map { [$0] } ?? [])).map { sealed in
            guard let secret = box.open(sealed) else {
                throw SecretBoxKey.Unusable(
                    description:
                        "The secret was sealed with another key than this daemon has. Rotate it, or give the key back.")
            }
            return WebhookSecret(key: secret)
        }
    }
}
