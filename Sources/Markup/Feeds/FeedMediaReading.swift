// Collects the media of an item or entry: enclosures, Media RSS, images.

struct FeedMediaReading {
    private var media: [FeedMedia] = []

    /// Keeps each URL at most once as playable media and once as an image.
    static func media(of element: FeedElement, base: String?) -> [FeedMedia] {
        var reading = FeedMediaReading()
        for child in element.elements { reading.take(child, base: base, title: nil) }
        if let duration = element.text("itunes:duration").flatMap(seconds) { reading.setDuration(duration) }
        return reading.media
    }

    private mutating func take(_ element: FeedElement, base: String?, title: String?) {
        let base = element.base ?? base
        let type = element.attribute("type")
        switch element.name {
        case "enclosure":
            add(element.attribute("url"), .enclosure, base: base, type: type, length: element.attribute("length"))
        case "atom:link" where FeedFields.relation(of: element) == "enclosure":
            add(
                element.attribute("href"), .enclosure, base: base, type: type, length: element.attribute("length"),
                title: element.attribute("title"))
        case "media:content":
            let title = element.text("media:title") ?? title
            add(
                element.attribute("url"), .content, base: base, type: type ?? Self.mediumType(element),
                length: element.attribute("filesize"), seconds: element.attribute("duration"), title: title)
            takeInner(element, base: base, title: title)
        case "media:group": takeInner(element, base: base, title: element.text("media:title") ?? title)
        case "media:player": add(element.attribute("url"), .content, base: base, type: "text/html", title: title)
        case "media:thumbnail": add(element.attribute("url") ?? element.text, .thumbnail, base: base)
        case "itunes:image", "image":
            let reference = element.attribute("href") ?? element.attribute("url") ?? element.text("url")
            add(reference ?? element.text, .image, base: base)
        default: return
        }
    }

    /// The media type for a medium, if only the medium is known.
    private static func mediumType(_ element: FeedElement) -> String? {
        let medium = element.attribute("medium")?.lowercased() ?? ""
        return ["image", "audio", "video"].contains(medium) ? medium + "/*" : nil
    }

    private mutating func takeInner(_ element: FeedElement, base: String?, title: String?) {
        for child in element.elements where child.name.hasPrefix("media:") { take(child, base: base, title: title) }
    }

    private mutating func add(
        _ reference: String?, _ kind: FeedMedia.Kind, base: String?, type: String? = nil, length: String? = nil,
        seconds: String? = nil, title: String? = nil
    ) {
        guard let url = FeedURL.web(reference, against: base) else { return }
        let title = FeedText.plain(title ?? "", without: .inline)
        let item = FeedMedia(
            url: url, type: Self.mediaType(type), length: length.flatMap(Self.count), kind: kind,
            seconds: seconds.flatMap(Self.seconds),
            title: title.isEmpty ? nil : FeedText.cut(title, to: FeedLimits.titleCharacters))
        Self.merge(item, into: &media)
    }

    /// Merges media with the same URL; the first one takes precedence.
    static func merge(_ item: FeedMedia, into media: inout [FeedMedia]) {
        let same = media.firstIndex { $0.url == item.url && isPlayed($0.kind) == isPlayed(item.kind) }
        guard let same else {
            if media.count < FeedLimits.media { media.append(item) }
            return
        }
        if item.kind == .enclosure { media[same].kind = .enclosure }
        media[same].type = media[same].type ?? item.type
        media[same].length = media[same].length ?? item.length
        media[same].seconds = media[same].seconds ?? item.seconds
        media[same].title = media[same].title ?? item.title
    }

    private static func isPlayed(_ kind: FeedMedia.Kind) -> Bool {
        kind == .enclosure || kind == .content
    }

    static func mediaType(_ type: String?) -> String? {
        let type = FeedText.trim(type ?? "").lowercased()
        return type.isEmpty || type.utf8.count > FeedLimits.nameCharacters ? nil : type
    }

    private static func count(_ text: String) -> Int? {
        Int(FeedText.trim(text)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// `1:02:03`, `62:03` or `3723`, each also with a fraction.
    static func seconds(_ text: String) -> Int? {
        let parts = FeedText.trim(text).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var total = 0
        for part in parts {
            guard let value = Int(part.prefix { $0 != "." }), (0..<10_000_000).contains(value) else { return nil }
            total = total * 60 + value
        }
        return total > 0 ? total : nil
    }

    /// Applies the duration of an episode to its audio or video.
    private mutating func setDuration(_ seconds: Int) {
        for index in media.indices where media[index].kind == .enclosure {
            media[index].seconds = media[index].seconds ?? seconds
        }
    }

    /// The Media RSS description as HTML, for entries without other text.
    static func description(of element: FeedElement) -> String {
        let groups = [element] + element.all("media:group") + element.all("media:content")
        for description in groups.flatMap({ $0.all("media:description") }) {
            let text = FeedText.trim(description.text)
            if text.isEmpty { continue }
            return description.attribute("type")?.lowercased() == "html" ? text : FeedText.escapeLines(text)
        }
        return ""
    }
}
