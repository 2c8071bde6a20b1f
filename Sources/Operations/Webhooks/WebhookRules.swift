// The webhook settings: the allowed targets, and the key that seals secrets.
import Domain
import Fetch
import Localization
import Platform

package struct WebhookRules: Sendable {
    package let policy: FetchPolicy
    let key: SecretBoxKey
    /// On a test deployment, the only hosts (optionally with port) that deliveries go to; nil for any host (B63).
    private let onlyTo: Set<String>?

    package init(policy: FetchPolicy, key: SecretBoxKey, onlyTo: Set<String>? = nil) {
        self.policy = policy
        self.key = key
        self.onlyTo = onlyTo
    }

    /// Why sending to a URL is not allowed, as a sentence; nil if it is allowed.
    func problem(with url: String) -> String? {
        guard let onlyTo else { return nil }
        let rest = url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first.map(String.init) ?? ""
        let host = rest.split(separator: ":").first.map(String.init) ?? ""
        if onlyTo.contains(rest) || onlyTo.contains(host) { return nil }
        return tr("Not sent: this is a test deployment, and webhooks.allow_private doesn't include \(rest).")
    }

    /// Throws `ConfigurationError` for an invalid host or port.
    package init(_ settings: Settings) throws {
        let webhooks = settings.webhooks
        var problems: [String] = []
        let exceptions = webhooks.allowPrivate.compactMap { text in
            let exception = FetchPolicy.Exception(text)
            if exception == nil {
                problems.append(tr("webhooks.allow_private: \"\(text)\" is neither a host nor host:port."))
            }
            return exception
        }
        let ports = webhooks.ports.compactMap { text in
            let port = Int(text).flatMap { (1...65535).contains($0) ? $0 : nil }
            if port == nil { problems.append("webhooks.ports: \"\(text)\" is not a port.") }
            return port
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        policy = FetchPolicy(allowsHTTP: webhooks.allowsHTTP, ports: Set(ports), exceptions: exceptions)
        onlyTo = settings.environment == .test ? Set(webhooks.allowPrivate) : nil
        key = SecretBoxKey(given: webhooks.key, path: settings.directories.data + "/webhooks.key")
    }

    /// Whether a key is configured or in its file.
    package var hasKey: Bool { !key.isMissing }

    /// Identifies the key. Throws `ConfigurationError` if it is missing or unusable.
    package func fingerprint() throws -> String {
        try Self.configured { try key.box().fingerprint }
    }

    /// Creates the key's file if there is no key.
    func createKey() throws {
        if key.isMissing { try Self.configured { try key.create() } }
    }

    /// Whether a webhook's secret was sealed with this key.
    func opens(_ sealed: [UInt8]) -> Bool { (try? key.box())?.open(sealed) != nil }

    private static func configured<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let problem as SecretBoxKey.InvalidKey {
            throw ConfigurationError(problems: [problem.description])
        }
    }

    /// A key for links, derived from the same key; nil when that is unusable.
    package func linkKey(_ purpose: String) -> LinkKey? { try? key.box().linkKey(purpose) }

    /// A box for other secrets, with a key derived from the same key; nil when that is unusable.
    package func box(for purpose: String) -> SecretBox? { try? key.box().box(for: purpose) }

    func seal(_ secret: SigningSecret) throws -> [UInt8] {
        do {
            return try key.box().seal(secret.key)
        } catch let problem as SecretBoxKey.InvalidKey {
            throw Failure.refused(
                code: "key", message: tr("The secret can't be stored securely. ") + problem.description)
        }
    }

    /// The current signing secrets, newest first. Throws when the key was replaced.
    func open(_ first: [UInt8], _ second: [UInt8]?) throws -> [SigningSecret] {
        let box = try key.box()
        return try ([first] + (second.map { [$0] } ?? [])).map { sealed in
            guard let secret = box.open(sealed) else {
                throw SecretBoxKey.InvalidKey(
                    description:
                        tr("The secret was sealed with a different key. Rotate the secret, or restore the key."))
            }
            return SigningSecret(key: secret)
        }
    }
}
