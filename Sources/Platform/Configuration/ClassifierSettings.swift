// Reads the configuration of the external classifier: its URL, signing secret, limits and budget.
import FoundationEssentials

extension Settings {
    /// A service that is asked about new submissions beside screening.
    package struct Classifier: Sendable {
        package let url: String
        package let host: String
        package let port: Int
        package let secret: SigningSecret
        /// The longest wait for an answer.
        package let timeout: Duration
        /// Calls of all daemons together in one clock hour, and in one day (UTC).
        package let perHour: Int
        package let perDay: Int
        /// How long an answer is reused for the same text.
        package let cache: Duration
        /// Whether it may be an internal host.
        package let allowsPrivate: Bool

        /// Nil without a URL: no service is asked.
        init?(_ read: SettingsReader, _ environment: Environment) {
            let url = read.optionalText(
                "classifier.url", "URL of an external classifier that is asked about new submissions. Default: none.")
            let written = read.secret(
                "classifier.secret",
                "Signs requests to the classifier: whsec_ and 24 to 64 bytes in base64. Required with classifier.url.")
            timeout = read.duration(
                "classifier.timeout_ms", 2000, 100...30_000, .millisecond, "Longest wait for the classifier.")
            perHour = read.integer(
                "classifier.per_hour", 600, 1...10_000_000, "Most calls of the classifier in one hour, of all daemons.")
            perDay = read.integer(
                "classifier.per_day", 5000, 1...100_000_000,
                "Most calls of the classifier in one day (UTC), of all daemons.")
            cache = read.duration(
                "classifier.cache_hours", 24, 0...8760, .hour,
                "Hours an answer of the classifier is reused for the same text; 0 to ask each time.")
            allowsPrivate = read.flag(
                "classifier.allow_private", false, "The classifier may have an internal IP address.")
            guard let url else { return nil }
            let parts = URLComponents(string: url)
            if let objection = Self.objection(to: url, parts, environment) { read.refuse("classifier.url", objection) }
            let secret = written.flatMap { SigningSecret($0.reveal()) }
            if written == nil {
                read.refuse("classifier.url", "requires classifier.secret, which signs the requests")
            } else if secret == nil {
                read.refuse("classifier.secret", "must be whsec_ followed by 24 to 64 bytes in base64")
            }
            guard let secret, let scheme = parts?.scheme?.lowercased(), let host = parts?.host else { return nil }
            self.url = url
            self.host = host.lowercased()
            port = parts?.port ?? (scheme == "https" ? 443 : 80)
            self.secret = secret
        }

        /// Plain http is for trying it out on one machine. Everywhere else others could read the submissions.
        private static func objection(
            to url: String, _ parts: URLComponents?, _ environment: Environment
        ) -> String? {
            guard let parts, let scheme = parts.scheme?.lowercased(), let host = parts.host, !host.isEmpty,
                scheme == "https" || scheme == "http"
            else { return "must be a URL such as https://classifier.example.org/classify, not \"\(url)\"" }
            guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
                return "must not contain a user name, a password or a fragment; requests are signed"
            }
            guard scheme == "http", !(environment == .development && PublicURL.isLoopback(host)) else { return nil }
            return "must start with https://; http:// is only for this machine in the environment \"development\""
        }
    }
}
