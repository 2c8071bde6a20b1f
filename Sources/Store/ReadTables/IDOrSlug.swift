// Identifies a published entry by its id, which never changes, or by its slug, which may.
import Domain

package enum IDOrSlug: Sendable, Equatable {
    case id(ID<Entry>)
    case slug(String)

    /// Any text in the form of an id is an id: no slug has that form.
    package init(_ text: String) {
        self = ID<Entry>(text).map(IDOrSlug.id) ?? .slug(text)
    }

    package var text: String {
        switch self {
        case .id(let id): id.description
        case .slug(let slug): slug
        }
    }
}
