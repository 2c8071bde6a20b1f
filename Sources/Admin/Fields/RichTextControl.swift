// The box of a rich text, which a script replaces by an editor.
import Domain
import Markup

struct RichTextControl: Encodable, Sendable {
    /// The format of a text that stays as it is, because the box doesn't show it.
    static let kept = "kept"

    let value: String
    /// Whether the value is CommonMark: what people write without the editor, unless the text exists as HTML.
    let isMarkdown: Bool
    /// Whether the form can leave a text as it is that CommonMark can't say, and whether it does.
    let mayKeep: Bool
    let isKept: Bool
    /// The sanitized value, for the editor; empty if it can't be sanitized.
    let html: SafeHTML
    /// What the editor offers, as JSON.
    let elements: String
    /// The URL of the media library; empty for people without access to it.
    let images: String

    /// `texts` are the value and its format, or HTML alone. `kept`: the HTML that the form can leave as it is.
    init(_ texts: [String], takesFiles: Bool, kept: String? = nil) {
        let format = texts.count > 1 ? texts[1] : nil
        let isKept = kept != nil && (format ?? Self.kept) == Self.kept
        let value = isKept ? "" : texts.first ?? ""
        let isMarkdown = !isKept && (format.map { $0 == Field.markdownKey } ?? value.isEmpty)
        (self.value, self.isMarkdown, mayKeep, self.isKept) = (value, isMarkdown, kept != nil, isKept)
        let shown = isKept ? kept ?? "" : value
        let sanitized = isMarkdown ? try? Markdown.html(shown) : try? SafeHTML(sanitizing: shown)
        html = (sanitized ?? SafeHTML(trusted: "")).withMediaURL(AdminURL.mediaFiles)
        elements = RichTextElements.json
        images = takesFiles ? AdminURL.media() : ""
    }
}

/// The text of a box as readers see it.
struct PreviewedText: Encodable, Sendable {
    /// Nil if it can't be shown.
    let html: SafeHTML?

    /// The text of the editor's box, or CommonMark. `images`: which images the page loads.
    init(_ control: RichTextControl?, markdown: String, _ images: ContentImages) {
        let shown = control == nil ? try? Markdown.html(markdown) : control?.html
        var hosts: Set<String> = []
        html = shown.map { FieldView.shown($0, images, &hosts) }
    }
}
