// The browser and the system of a session in words, from the user agent that it sent.
import Localization

enum BrowserName {
    private static let longest = 60

    /// The first sign that a user agent has decides: browsers also name others, which they resemble.
    private static let browsers: [(sign: String, name: String)] = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems: [(sign: String, name: String)] = [
        ("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iOS"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// `Firefox on Linux`; the beginning of the text of a browser that isn't known.
    static func shown(_ userAgent: String) -> String {
        func name(_ signs: [(sign: String, name: String)]) -> String? {
            signs.first { userAgent.contains($0.sign) }?.name
        }
        guard let browser = name(browsers) else {
            if userAgent.isEmpty { return tr("Unknown browser") }
            return userAgent.count > longest ? "\(userAgent.prefix(longest))…" : userAgent
        }
        return name(systems).map { tr("\(browser) on \($0)", context: "session") } ?? browser
    }
}
