// Reads the limits of the HTTP server and the proxies that it trusts.

extension Settings {
    package struct HTTP: Sendable {
        package let headerTimeout: Duration
        package let bodyTimeout: Duration
        /// How long a body may come more slowly than the minimum rate.
        package let bodyGrace: Duration
        package let minBodyRate: Int
        package let idleTimeout: Duration
        package let maxConnections: Int
        package let maxBodyBytes: Int
        package let bodyMemoryMegabytes: Int
        /// Proxies whose X-Forwarded-For is trusted.
        package let trustedProxies: TrustedProxies

        init(_ read: SettingsReader) {
            headerTimeout = read.duration(
                "http.header_timeout_s", 10, 1...3600, .second, "Longest time to receive the headers of a request.")
            bodyTimeout = read.duration(
                "http.body_timeout_s", 15, 1...3600, .second, "Longest time to receive the body of a request.")
            bodyGrace = read.duration(
                "http.body_grace_s", 5, 0...3600, .second,
                "Seconds that a body may come more slowly than http.min_body_rate.")
            minBodyRate = read.integer(
                "http.min_body_rate", 512, 0...1_000_000, "Least bytes per second of a body, on average after that.")
            idleTimeout = read.duration(
                "http.idle_timeout_s", 30, 1...3600, .second, "Seconds until an idle connection is closed.")
            maxConnections = read.integer(
                "http.max_connections", 12_000, 1...1_000_000, "Maximum number of open connections.")
            maxBodyBytes = read.integer(
                "http.max_body_bytes", 1 << 20, 1024...(1 << 30), "Largest request body in bytes.")
            bodyMemoryMegabytes = read.integer(
                "http.body_memory_mb", 64, 8...65_536, "Memory for request bodies beyond 64 KiB; further ones wait.")
            let proxies = read.optionalText(
                "http.trusted_proxies",
                "IP addresses and networks whose X-Forwarded-For is trusted, separated by commas.")
            let known = TrustedProxies(proxies ?? "")
            if known == nil {
                read.refuse(
                    "http.trusted_proxies", "must be IP addresses or networks such as 10.0.0.0/8, separated by commas")
            }
            trustedProxies = known ?? .empty
        }
    }
}
