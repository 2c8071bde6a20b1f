// The part of the configuration that says how mail leaves the house.

extension Settings {
    package struct Mail: Sendable {
        /// `smtp://host:port` (STARTTLS) or `smtps://host:port`; nil: mails wait.
        package let url: String?
        package let from: String?
        package let fromName: String
        package let user: String?
        package let password: Secret?
        /// Without TLS, to a relay on this machine.
        package let isPlain: Bool
        /// Certificates that the server is checked against; nil: those of the system.
        package let caFile: String?
        /// Addresses and domains; nil: everybody, on a test deployment nobody.
        package let onlyTo: [String]?
        package let invitationHours: Int
        package let resetMinutes: Int

        init(_ read: SettingsReader) {
            url = read.optionalText(
                "mail.url", "The mail server: smtp://host:587 or smtps://host:465; without it mails wait.")
            from = read.optionalText("mail.from", "The address that mails come from.")
            fromName = read.text("mail.from_name", "Vitrine", "The name that stands before that address.")
            user = read.optionalText("mail.user", "The name to sign in with at the mail server.")
            password = read.secret("mail.password", "The password for it.")
            isPlain = read.flag(
                "mail.plain", false, "Send without TLS; with a password only to a relay on this machine.")
            caFile = read.optionalText(
                "mail.ca_file", "Certificates to check the mail server against; by default the system's."
            )
            .map(read.location.absolute)
            let list = read.optionalText(
                "mail.only_to", "Addresses and domains that mail may go to; by default all, on a test deployment none.")
            onlyTo = list?.split { $0 == " " || $0 == "," }.map { $0.lowercased() }
            invitationHours = read.integer("mail.invitation_hours", 24, 1...24, "How long an invitation works.")
            resetMinutes = read.integer("mail.reset_minutes", 60, 5...60, "How long a link to a new password works.")
            if url == nil { return }
            if from == nil { read.refuse("mail.url", "needs mail.from beside it: the address that mails come from") }
            if (user == nil) != (password == nil) {
                read.refuse("mail.user", "needs mail.password beside it, and that needs it")
            }
            if let objection { read.refuse("mail.url", objection) }
        }

        private var objection: String? {
            guard let url else { return nil }
            let form = "must be smtp://host:port or smtps://host:port, without a name or password"
            let isSecure = url.hasPrefix("smtps://")
            guard isSecure || url.hasPrefix("smtp://") else { return form }
            let place = url.dropFirst(isSecure ? 8 : 7)
            let allowed = place.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || ".-:[]_".utf8.contains(byte)
            }
            guard allowed, !place.isEmpty else { return form }
            let isHere = ["localhost", "127.0.0.1", "[::1]"].contains { place == $0 || place.hasPrefix($0 + ":") }
            if isPlain, password != nil, !isHere {
                return "is plain, so the password would travel for all to read; set mail.plain to false"
            }
            return nil
        }
    }
}
