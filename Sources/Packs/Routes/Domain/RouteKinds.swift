// The kinds of entries of the pack routes.
import Domain

extension ContentType.Kind {
    package static let route = Self(rawValue: "route")
    package static let badge = Self(rawValue: "badge")
}
