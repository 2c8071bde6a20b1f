// The kinds of entries of the pack lists.
import Domain

extension ContentType.Kind {
    package static let list = Self(rawValue: "list")
}
