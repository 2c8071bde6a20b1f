// The keys of the configuration about catalogs: their sources, and how these are asked.

extension Settings {
    package struct Catalogs: Sendable {
        package struct Source: Sendable {
            /// Where its API begins.
            package let address: String
            package let key: Secret?

            package init(address: String, key: Secret?) {
                self.address = address
                self.key = key
            }
        }

        /// Where the shapes of the catalogs are.
        package let directory: String
        /// By the name of the adapter.
        package let sources: [String: Source]
        package let fresh: Duration
        package let refresh: Duration
        package let perMinute: Int
        package let deadline: Duration
        package let answerBytes: Int
        package let allowsHTTP: Bool
        /// Hosts and addresses, each with a port or without.
        package let allowPrivate: [String]

        private static let known = [
            ("google_books", "Google Books", "https://www.googleapis.com/books/v1"),
            ("tmdb", "TMDB", "https://api.themoviedb.org/3"),
            ("yelp", "Yelp", "https://api.yelp.com/v3"),
            ("lastfm", "Last.fm", "https://ws.audioscrobbler.com/2.0/"),
        ]

        init(_ read: SettingsReader) {
            directory = read.programFiles("catalogs.dir", "Config/catalogs", "Shapes of catalog items.")
            var sources: [String: Source] = [:]
            for (name, label, address) in Self.known {
                sources[name] = Source(
                    address: read.text("catalogs.\(name).url", address, "Where the API of \(label) is."),
                    key: read.secret("catalogs.\(name).key", "The key that \(label) gave us."))
            }
            self.sources = sources
            fresh = read.duration(
                "catalogs.fresh_minutes", 1440, 1...525_600, .minute, "How long an answer is given again.")
            refresh = read.duration(
                "catalogs.refresh_hours", 24, 1...8760, .hour, "When items that readers see are looked at again.")
            perMinute = read.integer(
                "catalogs.per_minute", 30, 1...10_000, "Questions that each source gets in a minute.")
            deadline = read.duration(
                "catalogs.deadline_ms", 8000, 100...60_000, .millisecond, "Longest wait for an answer.")
            answerBytes = read.integer(
                "catalogs.max_response_bytes", 2_097_152, 1024...67_108_864, "Longest answer that is read.")
            allowsHTTP = read.flag("catalogs.allow_http", false, "Let sources be at http:// addresses.")
            let list = read.optionalText(
                "catalogs.allow_private", "Hosts inside that sources may be at: \"localhost:9000 10.0.0.5\".")
            allowPrivate = (list ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        }

        /// For tests: sources at these addresses.
        package init(
            sources: [String: Source], fresh: Duration, refresh: Duration = .seconds(86_400), perMinute: Int = 1000,
            deadline: Duration = .seconds(8), answerBytes: Int = 1 << 21, allowsHTTP: Bool = false,
            allowPrivate: [String] = []
        ) {
            directory = ""
            self.sources = sources
            self.fresh = fresh
            self.refresh = refresh
            self.perMinute = perMinute
            self.deadline = deadline
            self.answerBytes = answerBytes
            self.allowsHTTP = allowsHTTP
            self.allowPrivate = allowPrivate
        }
    }
}
