// The link that replaces an embedded player: an iframe, a video, a sound.

import CGumbo
import FoundationEssentials

struct EmbedLink {
    /// The page of the video at a known provider, otherwise the address that was embedded.
    let url: String
    /// The title of the element, otherwise the address without its scheme: neither depends on a language.
    let label: String

    /// Nil without an http or https address.
    init?(_ element: HTMLElement, base: URL?) {
        let written =
            element.attribute("src") ?? element.attribute("data") ?? element.childAttribute("src", of: GUMBO_TAG_SOURCE)
            ?? element.childAttribute("src", of: GUMBO_TAG_EMBED)
        guard var written else { return nil }
        // Players are usually embedded without a scheme, so that they follow that of the page.
        if written.hasPrefix("//") { written = "https:" + written }
        guard let address = LinkURL.absolute(written, for: .image, base: base) else { return nil }
        url = Self.page(of: address) ?? address
        let title = HTMLCharacter.cleaned(element.attribute("title") ?? "").split(whereSeparator: \.isWhitespace)
        label = title.isEmpty ? Self.bare(url) : title.joined(separator: " ")
    }

    /// The pages for the players of common providers, by host and path.
    private static let players: [(host: String, path: String, page: String)] = [
        ("youtube.com", "/embed/", "https://www.youtube.com/watch?v="),
        ("youtube.com", "/v/", "https://www.youtube.com/watch?v="),
        ("youtube-nocookie.com", "/embed/", "https://www.youtube.com/watch?v="),
        ("player.vimeo.com", "/video/", "https://vimeo.com/"),
        ("dailymotion.com", "/embed/video/", "https://www.dailymotion.com/video/"),
        ("open.spotify.com", "/embed/", "https://open.spotify.com/"),
    ]

    private static func page(of address: String) -> String? {
        let bare = bare(address)
        for player in players where bare.hasPrefix(player.host + player.path) {
            let reference = bare.dropFirst(player.host.count + player.path.count)
                .prefix { $0 != "?" && $0 != "&" && $0 != "#" }
            let isReference = reference.utf8.allSatisfy {
                $0.isFeedLetter || $0.isFeedDigit || "-_/".utf8.contains($0)
            }
            return isReference && !reference.isEmpty ? player.page + reference : nil
        }
        return nil
    }

    private static func bare(_ address: String) -> String {
        let rest = address.drop { $0 != ":" }.dropFirst(3)
        return String(rest.hasPrefix("www.") ? rest.dropFirst(4) : rest)
    }
}
