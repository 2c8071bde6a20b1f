// Which external images may be fetched into the media library.
import Domain
import Fetch
import Localization
import Platform
import Store

package struct ExternalImageRules: Sendable {
    package let isEnabled: Bool
    /// Plain HTTP is allowed: what is fetched is only ever decoded as an image.
    package let policy: FetchPolicy
    private let excludedHosts: [String]
    /// Catalog sources whose terms forbid copies.
    private let excludedSources: Set<String>

    /// Throws `ConfigurationError` for an invalid host.
    package init(_ settings: Settings) throws {
        try self.init(
            settings.media.fetch,
            excludedSources: Set(settings.catalogs.sources.filter { !$0.value.fetchesImages }.keys))
    }

    package init(_ settings: Settings.Media.Fetch, excludedSources: Set<String> = []) throws {
        let exceptions = settings.allowPrivate.map { ($0, FetchPolicy.Exception($0)) }
        let problems = exceptions.filter { $0.1 == nil }.map {
            tr("media.fetch_allow_private: \"\($0.0)\" is not a host or host:port.")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        isEnabled = settings.isEnabled
        policy = FetchPolicy(allowsHTTP: true, exceptions: exceptions.compactMap(\.1))
        excludedHosts = settings.excludedHosts.map(Self.comparable)
        self.excludedSources = excludedSources
    }

    /// Why an image stays on its server; nil if it may be fetched, unless its host is excluded.
    func reason(against image: ExternalImageRow) -> String? {
        guard let source = image.source, excludedSources.contains(source) else { return nil }
        return tr("catalogs.\(source).fetch_images is off.")
    }

    /// Why nothing is fetched from a host; nil if it may be. A host excludes its subdomains, too.
    package func reason(against target: FetchTarget) -> String? {
        let host = Self.comparable(target.host)
        return excludedHosts.first { host == $0 || host.hasSuffix("." + $0) }.map {
            tr("media.fetch_except excludes \($0).")
        }
    }

    /// A host as hosts are compared: an international name in ASCII. With a dot at its end a name is the same.
    private static func comparable(_ host: String) -> String {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        return HostName.ascii(name) ?? name.lowercased()
    }
}
