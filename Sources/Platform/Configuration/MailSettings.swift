// Reads the configuration of outgoing mail.

extension Settings {
    package struct Mail: Sendable {
        /// `smtp://host:port` (STARTTLS) or `smtps://host:port`; nil: mails stay queued.
        package let url: String?
        package let from: String?
        package let fromName: String
        package let user: String?
        package let password: Secret?
        /// Without TLS, to a relay on this machine.
        package let isPlain: Bool
        /// CA certificates for the server; nil: those of the system.
        package let caFile: String?
        /// Email addresses and domains; nil: everybody, or nobody on a test deployment.
        package let allowedRecipients: [String]?
        package let invitationHours: Int
        package let resetMinutes: Int

        init(_ read: SettingsReader) {
            url = read.optionalText(
                "mail.url", "Mail server: smtp://host:587 or smtps://host:465. Without it, emails are queued.")
            from = read.optionalText("mail.from", "Sender address of emails.")
            fromName = read.text("mail.from_name", "Vitrine", "Sender name of emails.")
            user = read.optionalText("mail.user", "User name at the mail server.")
            password = read.secret("mail.password", "Password at the mail server.")
            isPlain = read.flag(
                "mail.plain", false, "Send without TLS; with a password only to a relay on this machine.")
            caFile = read.optionalText(
                "mail.ca_file", "CA certificates for the mail server. Default: the system's."
            )
            .map(read.location.absolute)
            let list = read.optionalText(
                "mail.allowed_recipients",
                "Allowed recipients: addresses and domains. Default: all; none on a test deployment.")
            allowedRecipients = list?.split { $0 == " " || $0 == "," }.map { $0.lowercased() }
            invitationHours = read.integer("mail.invitation_hours", 24, 1...24, "Hours an invitation link works.")
            resetMinutes = read.integer("mail.reset_minutes", 60, 5...60, "Minutes a password reset link works.")
            if url == nil { return }
            if from == nil { read.refuse("mail.url", "requires mail.from, the sender address") }
            if (user == nil) != (password == nil) {
                read.refuse("mail.user", "requires mail.password, and mail.password requires mail.user")
            }
            if let objection { read.refuse("mail.url", objection) }
        }

        private var objection: String? {
            guard let url else { return nil }
            let form = "must be smtp://host:port or smtps://host:port, without a name or password"
            let isSecure = url.hasPrefix("smtps://")
            guard isSecure || url.hasPrefix("smtp://") else { return form }
            let authority = url.dropFirst(isSecure ? 8 : 7)
            let allowed = authority.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || ".-:[]_".utf8.contains(byte)
            }
            guard allowed, !authority.isEmpty else { return form }
            let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains {
                authority == $0 || authority.hasPrefix($0 + ":")
            }
            if isPlain, password != nil, !isLocal {
                return "would send the password unencrypted; set mail.plain to false"
            }
            return nil
        }
    }
}
