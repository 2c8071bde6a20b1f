// The kinds of the packs.

extension ContentType.Kind {
    package static let city = Self(rawValue: "city")
    package static let place = Self(rawValue: "place")
    package static let promotion = Self(rawValue: "promotion")
    package static let review = Self(rawValue: "review")
    package static let route = Self(rawValue: "route")
    package static let badge = Self(rawValue: "badge")
    package static let list = Self(rawValue: "list")
}
