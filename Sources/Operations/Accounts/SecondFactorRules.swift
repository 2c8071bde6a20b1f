// The second-factor settings: the roles that require one, and the box that seals stored secrets.
import Domain
import Platform

package struct SecondFactorRules: Sendable {
    /// The purpose that the box's key is derived for.
    package static let purpose = "second factor"

    /// Nil while its key is unusable: then setup is refused and only recovery codes are accepted.
    let box: SecretBox?
    /// The names of the roles that can do nothing before setting one up.
    package let roles: [String]
    /// The name shown in authenticator apps: the host that people sign in at.
    let issuer: String

    /// Throws `ConfigurationError` for what can't be the name of a role. Only the database knows which roles exist.
    package init(box: SecretBox?, roles: [String], publicURL: String) throws {
        self.box = box
        if let other = roles.first(where: { !Role.isName($0) }) {
            throw ConfigurationError(problems: [
                "login.second_factor_roles: Use names of roles, such as administrator, instead of \"\(other)\"."
            ])
        }
        let presets = Role.presets.map(\.name)
        self.roles = presets.filter(roles.contains) + Set(roles).subtracting(presets).sorted()
        let host = publicURL.split(separator: "/").dropFirst().first.map(String.init) ?? publicURL
        issuer = "Vitrine \(host.split(separator: ":").first.map(String.init) ?? host)"
    }

    package func isRequired(of role: Role) -> Bool { roles.contains(role.name) }

    /// Whether a stored secret can be read with this key.
    package func opens(_ sealed: [UInt8]) -> Bool { box?.open(sealed) != nil }
}
