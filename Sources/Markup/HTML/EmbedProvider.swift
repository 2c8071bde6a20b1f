// Providers of videos and sounds, whose players become links, and whose links on a line of their own are shown as cards.

/// A provider that rich text knows.
package struct EmbedProvider: Sendable, Encodable {
    /// Its own name, the same in each language.
    package let name: String
    /// What the URLs of its players begin with, without scheme and `www.`; a reference to what they play follows.
    let players: [String]
    /// What the URLs of its pages begin with, in the same form.
    let pages: [String]
    /// Whether references to pages are numbers: other pages have the same beginning.
    let hasNumbers: Bool
    /// The URL of a page without its reference.
    let page: String

    package static let all = [
        EmbedProvider(
            name: "YouTube", players: ["youtube.com/embed/", "youtube.com/v/", "youtube-nocookie.com/embed/"],
            pages: ["youtube.com/watch?v=", "youtube.com/shorts/", "youtube.com/live/", "youtu.be/"], hasNumbers: false,
            page: "https://www.youtube.com/watch?v="),
        EmbedProvider(
            name: "Vimeo", players: ["player.vimeo.com/video/"], pages: ["vimeo.com/"], hasNumbers: true,
            page: "https://vimeo.com/"),
        EmbedProvider(
            name: "Dailymotion", players: ["dailymotion.com/embed/video/"],
            pages: ["dailymotion.com/video/", "dai.ly/"],
            hasNumbers: false, page: "https://www.dailymotion.com/video/"),
        EmbedProvider(
            name: "Spotify", players: ["open.spotify.com/embed/"],
            pages: ["track", "album", "artist", "playlist", "episode", "show"].map { "open.spotify.com/\($0)/" },
            hasNumbers: false, page: "https://open.spotify.com/"),
    ]

    /// The provider whose page the URL is, also the page for phones.
    package static func ofPage(_ url: String) -> EmbedProvider? {
        var bare = bare(url)
        if bare.hasPrefix("m.") { bare.removeFirst(2) }
        return all.first { provider in
            provider.pages.contains { beginning in
                guard let reference = reference(in: bare, after: beginning) else { return false }
                return !provider.hasNumbers || reference.utf8.first?.isFeedDigit == true
            }
        }
    }

    /// The URL of the page for that of a player.
    static func page(ofPlayer url: String) -> String? {
        let bare = bare(url)
        for provider in all {
            for beginning in provider.players where bare.hasPrefix(beginning) {
                return reference(in: bare, after: beginning).map { provider.page + $0 }
            }
        }
        return nil
    }

    /// The URL without its scheme and `www.`.
    static func bare(_ url: String) -> String {
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        return String(rest.hasPrefix("www.") ? rest.dropFirst(4) : rest)
    }

    private static func reference(in bare: String, after beginning: String) -> Substring? {
        guard bare.hasPrefix(beginning) else { return nil }
        let reference = bare.dropFirst(beginning.count).prefix { $0 != "?" && $0 != "&" && $0 != "#" }
        let isReference = reference.utf8.allSatisfy { $0.isFeedLetter || $0.isFeedDigit || "-_/".utf8.contains($0) }
        return isReference && !reference.isEmpty ? reference : nil
    }
}
