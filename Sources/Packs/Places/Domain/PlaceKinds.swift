// The kinds of entries of the pack places.
import Domain

extension ContentType.Kind {
    package static let city = Self(rawValue: "city")
    package static let place = Self(rawValue: "place")
    package static let promotion = Self(rawValue: "promotion")
    package static let review = Self(rawValue: "review")
}
