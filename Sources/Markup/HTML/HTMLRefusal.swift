// Why a piece of HTML or Markdown is refused before it can cost too much.

package enum HTMLRefusal: Error, Hashable, CustomStringConvertible {
    /// More than `limit` bytes of UTF-8.
    case tooLong(limit: Int)
    /// More tags, or more attributes in one tag, than a text of that length may have.
    case tooManyTags
    /// Tags misnested so that their repair would take too much memory.
    case tooTangled

    package var description: String {
        switch self {
        case .tooLong(let limit): "The text is longer than \(limit / 1024) KB."
        case .tooManyTags: "The text has too many HTML tags."
        case .tooTangled: "The HTML tags of the text are too badly nested."
        }
    }
}
