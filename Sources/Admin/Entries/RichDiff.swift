// The differences of two versions of rich text or Markdown, as the text is shown.
import Domain
import Localization
import Markup

struct RichDiff: Encodable, Sendable {
    struct Part: Encodable, Sendable {
        let html: SafeHTML
        /// Names the blocks that are folded; nil unless they are.
        let folded: String?
        /// What happened to the block; nil for one that is the same.
        let state: String?
        let tone: String
        let marks: [String]
        let images: [ImageDiff]
        /// Whether there is nothing but images to show.
        let hasText: Bool
    }

    let parts: [Part]
    /// Set if readers see no difference.
    let note: String?
    let hiddenImages: FieldView.HiddenImages?

    /// Nil if one of the values can't be shown as HTML.
    init?(_ field: Field, _ old: JSONValue?, _ new: JSONValue?, _ images: ContentImages) {
        guard let before = Self.html(field, old), let after = Self.html(field, new),
            let diff = try? HTMLDiff(from: before, to: after)
        else { return nil }
        var hosts: Set<String> = []
        parts = diff.blocks.map { block in
            let html = FieldView.shown(block.html, images, &hosts)
            let changes = block.images.map { ImageDiff($0, images) }
            for change in changes { hosts.formUnion(change.hosts) }
            return Part(
                html: html.withSpokenChanges(
                    added: tr("Added:", context: "comparison"), removed: tr("Removed:", context: "comparison")),
                folded: block.kind == .folded
                    ? tr("Show \(block.count, one: "# unchanged paragraph", other: "# unchanged paragraphs")") : nil,
                state: Self.state(block), tone: Self.tone(block.kind), marks: block.marks, images: changes,
                hasText: !block.html.html.isEmpty)
        }
        note = diff.hasChanges ? nil : tr("Only the source differs. Readers see no difference.")
        hiddenImages = FieldView.HiddenImages(hosts, images)
    }

    private static func html(_ field: Field, _ value: JSONValue?) -> String? {
        let text = value.map { field.shownTexts(of: $0).filter { !$0.isEmpty }.joined(separator: "\n") } ?? ""
        return field.type == .markdown ? try? Markdown.html(text).html : text
    }

    private static func state(_ block: HTMLDiff.Block) -> String? {
        switch block.kind {
        case .unchanged, .folded: nil
        case .added: tr("\(block.name) added", context: "comparison")
        case .removed: tr("\(block.name) removed", context: "comparison")
        case .changed: tr("\(block.name) changed", context: "comparison")
        case .moved: tr("\(block.name) moved here", context: "comparison")
        case .movedAway: tr("\(block.name) moved away", context: "comparison")
        }
    }

    private static func tone(_ kind: HTMLDiff.Kind) -> String {
        switch kind {
        case .unchanged, .folded: ""
        case .added, .moved: "ok"
        case .removed, .movedAway: "bad"
        case .changed: "wait"
        }
    }
}
