// Reads the configuration of the delivery API: CORS, deprecation, replication lag and syndication.
import FoundationEssentials

extension Settings {
    package struct Delivery: Sendable {
        /// Origins whose pages may call the API; `*` for all.
        package let origins: [String]
        /// When this API version was deprecated, and when it ends.
        package let deprecated: Date?
        package let sunset: Date?
        /// URL of the migration guide.
        package let successor: String?
        /// Syndication requests per minute and IP address; 0 for no limit.
        package let syndicationPerMinute: Int
        /// Replication lag in seconds up to which a replica is ready.
        package let lag: Int
        /// Memory for responses of reads; 0 keeps none.
        package let cacheMegabytes: Int
        /// The website that syndication links to.
        package let home: String?
        /// URL of an item on that website; contains `{slug}` or `{id}`.
        package let itemURL: String?

        init(_ read: SettingsReader) {
            let origins = read.optionalText(
                "api.cors_origins", "Origins whose pages may call the API, such as \"https://a.example\", or *.")
            self.origins = origins?.split(separator: " ").map(String.init) ?? []
            for origin in self.origins where origin != "*" && !Self.isOrigin(origin) {
                read.refuse(
                    "api.cors_origins", "must be origins such as https://app.example.org, separated by spaces, or *")
            }
            deprecated = Self.date(
                "api.deprecated", "Date since which this API version is deprecated, such as 2027-01-31.", read)
            sunset = Self.date("api.sunset", "Date on which this API version ends.", read)
            if let deprecated, let sunset, sunset < deprecated {
                read.refuse("api.sunset", "must not be before api.deprecated")
            }
            successor = Self.url("api.successor", "URL of the migration guide to the next version.", read)
            syndicationPerMinute = read.integer(
                "api.syndication_per_minute", 600, 0...1_000_000,
                "Syndication requests per IP address and minute; 0 for no limit.")
            lag = read.integer(
                "api.max_lag_s", 30, 1...86_400, "Replication lag in seconds beyond which a replica is not ready.")
            cacheMegabytes = read.integer(
                "api.cache_mb", 64, 0...16_384, "Megabytes of memory for responses to reads; 0 keeps none.")
            home = Self.url("site.url", "Website that syndication links to. Default: public.url.", read)
            itemURL = Self.url(
                "site.item_url", "URL of an item on that website: https://example.org/read/{slug}.", read)
            if let itemURL, !itemURL.contains("{slug}"), !itemURL.contains("{id}") {
                read.refuse("site.item_url", "must contain {slug} or {id}")
            }
        }

        private static func url(_ key: String, _ summary: String, _ read: SettingsReader) -> String? {
            guard let text = read.optionalText(key, summary) else { return nil }
            let plain = text.replacing("{slug}", with: "x").replacing("{id}", with: "x")
            let parts = URLComponents(string: plain)
            guard let scheme = parts?.scheme?.lowercased(), ["http", "https"].contains(scheme),
                parts?.host?.isEmpty == false
            else {
                read.refuse(key, "must be a URL such as https://www.example.org/, not \"\(text)\"")
                return nil
            }
            return text
        }

        private static func isOrigin(_ text: String) -> Bool {
            guard let parts = URLComponents(string: text) else { return false }
            return ["http", "https"].contains(parts.scheme ?? "") && parts.host?.isEmpty == false && parts.path.isEmpty
                && parts.query == nil && parts.fragment == nil && parts.user == nil && text == text.lowercased()
        }

        /// The start of the day in UTC.
        private static func date(_ key: String, _ summary: String, _ read: SettingsReader) -> Date? {
            guard let text = read.optionalText(key, summary) else { return nil }
            // Formatting the parsed date must give the same text: rejects days such as 29 February 2027.
            if text.utf8.count == 10, let date = try? Date("\(text)T00:00:00Z", strategy: .iso8601),
                date.formatted(.iso8601).hasPrefix(text)
            {
                return date
            }
            read.refuse(key, "must be a date such as 2027-01-31, not \"\(text)\"")
            return nil
        }
    }
}
