// How the delivery API answers the outside: other origins, its age, and where syndicated things lead.
import FoundationEssentials

extension Settings {
    package struct Delivery: Sendable {
        /// Origins whose pages may read the API; `*` is all.
        package let origins: [String]
        /// When the API became one to move away from, and when it ends.
        package let deprecated: Date?
        package let sunset: Date?
        /// Where moving away from it is explained.
        package let successor: String?
        /// Requests a minute from one address where no client is known; 0 is any number.
        package let openPerMinute: Int
        /// How far behind a replica may be and still count as ready, in seconds.
        package let lag: Int
        /// The website that readers of syndicated feeds are led to.
        package let home: String?
        /// Where that website shows an item; holds `{slug}` or `{id}`.
        package let itemAddress: String?

        init(_ read: SettingsReader) {
            let origins = read.optionalText(
                "api.cors_origins", "Origins whose pages may call the API: \"https://a.example\", or *.")
            self.origins = origins?.split(separator: " ").map(String.init) ?? []
            for origin in self.origins where origin != "*" && !Self.isOrigin(origin) {
                read.refuse(
                    "api.cors_origins", "must be origins such as https://app.example.org with spaces between, or *")
            }
            deprecated = Self.date("api.deprecated", "The day from which apps should move on: 2027-01-31.", read)
            sunset = Self.date("api.sunset", "The day on which this version of the API ends.", read)
            if let deprecated, let sunset, sunset < deprecated {
                read.refuse("api.sunset", "must not be before api.deprecated")
            }
            successor = Self.address("api.successor", "Where the move to the next version is explained.", read)
            openPerMinute = read.integer(
                "api.open_per_minute", 600, 0...1_000_000,
                "Syndicated feeds that one address may ask for; 0 is unlimited.")
            lag = read.integer(
                "api.max_lag_s", 30, 1...86_400, "A replica that is further behind does not count as ready.")
            home = Self.address("site.url", "The website that syndicated feeds lead to; by default public.url.", read)
            itemAddress = Self.address(
                "site.item_url", "Where that website shows an item: https://example.org/read/{slug}.", read)
            if let itemAddress, !itemAddress.contains("{slug}"), !itemAddress.contains("{id}") {
                read.refuse("site.item_url", "must hold {slug} or {id}")
            }
        }

        private static func address(_ key: String, _ summary: String, _ read: SettingsReader) -> String? {
            guard let text = read.optionalText(key, summary) else { return nil }
            let plain = text.replacing("{slug}", with: "x").replacing("{id}", with: "x")
            let parts = URLComponents(string: plain)
            guard let scheme = parts?.scheme?.lowercased(), ["http", "https"].contains(scheme),
                parts?.host?.isEmpty == false
            else {
                read.refuse(key, "must be an address such as https://www.example.org/, not \"\(text)\"")
                return nil
            }
            return text
        }

        private static func isOrigin(_ text: String) -> Bool {
            guard let parts = URLComponents(string: text) else { return false }
            return ["http", "https"].contains(parts.scheme ?? "") && parts.host?.isEmpty == false && parts.path.isEmpty
                && parts.query == nil && parts.fragment == nil && parts.user == nil && text == text.lowercased()
        }

        /// The beginning of that day in UTC.
        private static func date(_ key: String, _ summary: String, _ read: SettingsReader) -> Date? {
            guard let text = read.optionalText(key, summary) else { return nil }
            // Read and written it is the same, or it is no day: 29 February 2027.
            if text.utf8.count == 10, let date = try? Date("\(text)T00:00:00Z", strategy: .iso8601),
                date.formatted(.iso8601).hasPrefix(text)
            {
                return date
            }
            read.refuse(key, "must be a day such as 2027-01-31, not \"\(text)\"")
            return nil
        }
    }
}
