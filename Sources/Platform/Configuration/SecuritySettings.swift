// Reads whom to tell of a vulnerability.

extension Settings {
    static func securityContact(_ read: SettingsReader) -> String? {
        let key = "security.contact"
        let contact = read.optionalText(
            key,
            "Where to report vulnerabilities, for /.well-known/security.txt: mailto:… or https://….")
        guard let contact else { return nil }
        let isURL = contact.hasPrefix("mailto:") || contact.hasPrefix("https://")
        if !isURL || contact.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            read.refuse(key, "must be a mailto: or https: URL")
        }
        return contact
    }
}
