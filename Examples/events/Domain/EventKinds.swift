// The kinds of entries of the pack events.
import Domain

extension ContentType.Kind {
    static let venue = Self(rawValue: "venue")
    static let event = Self(rawValue: "event")
}
