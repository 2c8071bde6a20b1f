// Reads the configuration of catalogs: sources, credentials, freshness and limits.

extension Settings {
    package struct Catalogs: Sendable {
        package struct Source: Sendable {
            /// Base URL of the API.
            package let url: String
            package let key: Secret?
            /// Its terms allow copies of its images.
            package let fetchesImages: Bool

            package init(url: String, key: Secret?, fetchesImages: Bool = true) {
                self.url = url
                self.key = key
                self.fetchesImages = fetchesImages
            }
        }

        /// Folder of the catalog schemas.
        package let directory: String
        /// By adapter name.
        package let sources: [String: Source]
        package let fresh: Duration
        package let refresh: Duration
        package let perMinute: Int
        package let deadline: Duration
        package let maxResponseBytes: Int
        package let allowsHTTP: Bool
        /// Hosts and IP addresses, with or without a port.
        package let allowPrivate: [String]

        /// Google Books and Yelp only allow copies for a short time.
        private static let known = [
            ("google_books", "Google Books", "https://www.googleapis.com/books/v1", false),
            ("tmdb", "TMDB", "https://api.themoviedb.org/3", true),
            ("yelp", "Yelp", "https://api.yelp.com/v3", false),
            ("lastfm", "Last.fm", "https://ws.audioscrobbler.com/2.0/", false),
        ]

        init(_ read: SettingsReader) {
            directory = read.programFiles("catalogs.dir", "Config/catalogs", "Folder of catalog schemas.")
            var sources: [String: Source] = [:]
            for (name, label, url, fetchesImages) in Self.known {
                sources[name] = Source(
                    url: read.text("catalogs.\(name).url", url, "Base URL of the \(label) API."),
                    key: read.secret("catalogs.\(name).key", "API key for \(label)."),
                    fetchesImages: read.flag(
                        "catalogs.\(name).fetch_images", fetchesImages,
                        "Fetch images of \(label) into the media library. Check its terms first."))
            }
            self.sources = sources
            fresh = read.duration(
                "catalogs.fresh_minutes", 1440, 1...525_600, .minute, "Minutes a cached source response is reused.")
            refresh = read.duration(
                "catalogs.refresh_hours", 24, 1...8760, .hour, "Hours between refreshes of items that readers see.")
            perMinute = read.integer(
                "catalogs.per_minute", 30, 1...10_000, "Requests to each source per minute.")
            deadline = read.duration(
                "catalogs.deadline_ms", 8000, 100...60_000, .millisecond, "Longest wait for a source.")
            maxResponseBytes = read.integer(
                "catalogs.max_response_bytes", 2_097_152, 1024...67_108_864, "Largest response of a source in bytes.")
            allowsHTTP = read.flag("catalogs.allow_http", false, "Allow http:// source URLs.")
            let list = read.optionalText(
                "catalogs.allow_private", "Internal hosts of sources, such as \"localhost:9000 10.0.0.5\".")
            allowPrivate = (list ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        }

        /// For tests.
        package init(
            sources: [String: Source], fresh: Duration, refresh: Duration = .seconds(86_400), perMinute: Int = 1000,
            deadline: Duration = .seconds(8), maxResponseBytes: Int = 1 << 21, allowsHTTP: Bool = false,
            allowPrivate: [String] = []
        ) {
            directory = ""
            self.sources = sources
            self.fresh = fresh
            self.refresh = refresh
            self.perMinute = perMinute
            self.deadline = deadline
            self.maxResponseBytes = maxResponseBytes
            self.allowsHTTP = allowsHTTP
            self.allowPrivate = allowPrivate
        }
    }
}
