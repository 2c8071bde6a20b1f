// Delivery settings of the deployment: CORS origins, deprecation, and the targets of syndicated links.
import FoundationEssentials
import Platform

package struct DeliveryRules: Sendable {
    /// Origins whose pages may call the API; `*` means all.
    package var origins: Set<String> = []
    package var deprecated: Date?
    package var sunset: Date?
    package var successor: String?
    /// Requests per minute and IP address without credentials; 0 means no limit.
    package var syndicationPerMinute = 0
    /// The memory for responses that are kept, in bytes; 0 keeps none.
    package var cacheBytes = 0
    /// The website; nil means the public URL.
    package var home: String?
    /// The website's URL of an item, with `{slug}` or `{id}`.
    package var itemURL: String?
    /// Signs syndication URLs; nil while its key is unusable.
    package var key: LinkKey?

    package init() {}

    package init(_ settings: Settings.Delivery, key: LinkKey?) {
        origins = Set(settings.origins)
        deprecated = settings.deprecated
        sunset = settings.sunset
        successor = settings.successor
        syndicationPerMinute = settings.syndicationPerMinute
        cacheBytes = settings.cacheMegabytes << 20
        home = settings.home
        itemURL = settings.itemURL
        self.key = key
    }
}
