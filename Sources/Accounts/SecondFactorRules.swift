// What the configuration says about second factors: which roles need one, and the box in which secrets are stored.
import Domain
import Platform

package struct SecondFactorRules: Sendable {
    /// What the key of the box is derived for.
    package static let purpose = "second factor"

    /// Nil while its key is unusable: then nobody sets one up, and recovery codes alone let in.
    let box: SecretBox?
    /// Who may do nothing before they have one.
    package let roles: Set<Role>
    /// What apps call us: the host that people sign in at.
    let issuer: String

    /// Throws `ConfigurationError` where a word is no role.
    package init(box: SecretBox?, roles: [String], publicURL: String) throws {
        self.box = box
        let known = roles.compactMap { Role(rawValue: $0) }
        guard known.count == roles.count else {
            let names = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(problems: ["login.second_factor: a role is one of \(names)."])
        }
        self.roles = Set(known)
        let host = publicURL.split(separator: "/").dropFirst().first.map(String.init) ?? publicURL
        issuer = "Vitrine \(host.split(separator: ":").first.map(String.init) ?? host)"
    }

    /// Whether a stored secret can be read with this key.
    package func opens(_ sealed: [UInt8]) -> Bool { box?.open(sealed) != nil }
}
