// Reads the configuration of fetching external images.

extension Settings.Media {
    /// Fetching external images of approved content.
    package struct Fetch: Sendable {
        package let isEnabled: Bool
        /// Hosts whose images stay external, with their subdomains.
        package let excludedHosts: [String]
        package let budgetBytes: Int
        /// Hosts and IP addresses, with or without a port.
        package let allowPrivate: [String]

        package init(
            isEnabled: Bool = true, excludedHosts: [String] = [], budgetBytes: Int = 10 << 30,
            allowPrivate: [String] = []
        ) {
            self.isEnabled = isEnabled
            self.excludedHosts = excludedHosts
            self.budgetBytes = budgetBytes
            self.allowPrivate = allowPrivate
        }

        init(_ read: SettingsReader) {
            isEnabled = read.flag(
                "media.fetch", true, "Fetch external images of approved content into the media library.")
            let hosts = read.optionalText(
                "media.fetch_except",
                "Hosts whose images stay external because of their terms, such as \"images.example.org\".")
            excludedHosts = (hosts ?? "").split { $0 == " " || $0 == "," }.map { $0.lowercased() }
            budgetBytes =
                read.integer(
                    "media.fetch_budget_mb", 10_240, 0...100_000_000, "Total size of fetched images, in MB.") << 20
            let list = read.optionalText(
                "media.fetch_allow_private",
                "Internal hosts that images may be fetched from, such as \"localhost:9000 10.0.0.5\".")
            allowPrivate = (list ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        }
    }
}
