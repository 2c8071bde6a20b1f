// How this deployment delivers: to other origins, until when, and where syndicated things lead.
import FoundationEssentials
import Platform

package struct DeliveryRules: Sendable {
    /// Origins whose pages may call the API; `*` is all.
    package var origins: Set<String> = []
    package var deprecated: Date?
    package var sunset: Date?
    package var successor: String?
    /// Requests a minute from one address where no client is known; 0 is any number.
    package var openPerMinute = 0
    /// The website; nil is the public address.
    package var home: String?
    /// Where the website shows an item, with `{slug}` or `{id}` in it.
    package var itemAddress: String?
    /// Signs the addresses of feeds; nil while its key is unusable.
    package var key: LinkKey?

    package init() {}

    package init(_ settings: Settings.Delivery, key: LinkKey?) {
        origins = Set(settings.origins)
        deprecated = settings.deprecated
        sunset = settings.sunset
        successor = settings.successor
        openPerMinute = settings.openPerMinute
        home = settings.home
        itemAddress = settings.itemAddress
        self.key = key
    }
}
