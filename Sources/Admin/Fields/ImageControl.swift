// An image in the forms of the team: chosen from the library, uploaded, or named by its URL on another site.
import Domain

struct ImageControl: Encodable, Sendable {
    struct Upload: Encodable, Sendable {
        let name: String
        /// The value of the button that opens the library for this field.
        let field: String
        /// The value of the button that removes the image.
        let remove: String
    }

    /// Nil where the form takes no files.
    let upload: Upload?
    /// Whether it is an image of the library, which has a URL and a size of its own.
    let isChosen: Bool
    /// The URL of the chosen image.
    let thumbnail: String?
    /// Whether the inputs for an image on another site are shown at once: with a value or an error, or as the only way.
    let isOpen: Bool
    let url: String
    let alt: String
    let width: String
    let height: String
    let media: String
    /// The name of the input for the alternative text, which stands apart from those for another site.
    let altName: String

    /// `texts`: URL, alternative text, width, height and ID of the image.
    init(_ texts: [String], at input: FieldInput, takesFiles: Bool, errors: FieldErrors) {
        func text(_ index: Int) -> String { index < texts.count ? texts[index] : "" }
        (url, alt, width, height, media) = (text(0), text(1), text(2), text(3), text(4))
        isChosen = !media.isEmpty
        thumbnail = ID<Media>(media).map { AdminURL.imageFile($0) }
        upload =
            takesFiles
            ? Upload(name: input.upload, field: input.key, remove: "\(input.key) \(ImageSearchPanel.none)") : nil
        let isWrong = ["url", "width", "height"].contains { name in
            !errors.messages(at: "\(input.pointer)/\(name)").isEmpty
        }
        isOpen = isWrong || [url, width, height].contains { !$0.isEmpty } || !takesFiles && media.isEmpty
        altName = input.alt
    }
}
