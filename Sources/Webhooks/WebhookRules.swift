// What the configuration says about webhooks: where they may lead, and the key that seals their secrets.
import Domain
import Fetch
import Platform

package struct WebhookRules: Sendable {
    package let policy: FetchPolicy
    let key: SecretBoxKey

    package init(policy: FetchPolicy, key: SecretBoxKey) {
        self.policy = policy
        self.key = key
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
        key = SecretBoxKey(given: webhooks.key, path: settings.directories.data + "/webhooks.key")
    }

    /// Makes the key's file when there is none yet. Throws a sentence for the operator.
    package func prepareKey() throws {
        _ = try key.box()
    }

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
