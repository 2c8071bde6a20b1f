// The second-factor settings: the roles that require one, and the box that seals stored secrets.
import Domain
import Platform

package struct SecondFactorRules: Sendable {
    /// The purpose that the box's key is derived for.
    package static let purpose = "second factor"

    /// Nil while its key is unusable: then setup is refused and only recovery codes are accepted.
    let box: SecretBox?
    /// The roles that can do nothing before setting one up.
    package let roles: Set<Role>
    /// The name shown in authenticator apps: the host that people sign in at.
    let issuer: String

    /// Throws `ConfigurationError` for an unknown role.
    package init(box: SecretBox?, roles: [String], publicURL: String) throws {
        self.box = box
        let known = roles.compactMap { Role(rawValue: $0) }
        guard known.count == roles.count else {
            let names = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(problems: ["login.second_factor_roles: Use roles out of \(names)."])
        }
        self.roles = Set(known)
        let host = publicURL.split(separator: "/").dropFirst().first.map(String.init) ?? publicURL
        issuer = "Vitrine \(host.split(separator: ":").first.map(String.init) ?? host)"
    }

    /// Whether a stored secret can be read with this key.
    package func opens(_ sealed: [UInt8]) -> Bool { box?.open(sealed) != nil }
}
