// Refuses an encryption key that is not the one that belongs to the database.
import Domain
import Localization
import Platform
import Store

/// Secrets that are sealed with another key can't be opened by the daemons, and links derived from it are invalid.
package struct VerifyKey: Sendable {
    private let identities: IdentityStore
    private let rules: WebhookRules

    package init(_ identities: IdentityStore, rules: WebhookRules) {
        self.identities = identities
        self.rules = rules
    }

    /// The fingerprint of the key. Throws `ConfigurationError` with a sentence for the operator if the key is missing,
    /// unusable or another one than the database expects.
    @discardableResult
    package func callAsFunction() async throws -> String {
        let fingerprint = try rules.fingerprint()
        guard let expected = try await identities.find(.key), expected != fingerprint else { return fingerprint }
        throw ConfigurationError(problems: [
            tr(
                "The encryption key (webhooks.key) is not the one of this database: its fingerprint is \(fingerprint), "
                    + "not \(expected). Use the daemon's key. If that key is lost, run \"vitrine key adopt\".")
        ])
    }
}
