// The link that replaces an embedded player: an iframe, a video, a sound.

import CGumbo
import FoundationEssentials

struct EmbedLink {
    /// The page of the video at a known provider, otherwise the URL that was embedded.
    let url: String
    /// The title of the element, otherwise the URL without its scheme: neither depends on a language.
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
        url = EmbedProvider.page(ofPlayer: address) ?? address
        let title = HTMLCharacter.cleaned(element.attribute("title") ?? "").split(whereSeparator: \.isWhitespace)
        label = title.isEmpty ? EmbedProvider.bare(url) : title.joined(separator: " ")
    }
}
