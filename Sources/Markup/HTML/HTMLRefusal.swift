// Why HTML or Markdown is rejected before parsing.
import Localization

package enum HTMLRefusal: Error, Hashable, CustomStringConvertible {
    /// More than `limit` bytes of UTF-8.
    case tooLong(limit: Int)
    /// Too many tags, or too many attributes in one tag, for the length of the text.
    case tooManyTags
    /// Misnested tags whose repair would take too much memory.
    case tooTangled

    package var description: String {
        switch self {
        case .tooLong(let limit): tr("The text is longer than \(limit / 1024) KB.")
        case .tooManyTags: tr("The text has too many HTML tags.")
        case .tooTangled: tr("The HTML tags of the text are too badly nested.")
        }
    }
}
