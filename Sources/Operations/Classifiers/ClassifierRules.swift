// The external classifier as configured: where it is, how requests are signed, and how often it is asked.
import Domain
import Fetch
import Platform

package struct ClassifierRules: Sendable {
    package let url: String
    package let policy: FetchPolicy
    package var limits: ClassifierLimits
    let secret: SigningSecret

    package init(url: String, policy: FetchPolicy, limits: ClassifierLimits, secret: SigningSecret) {
        self.url = url
        self.policy = policy
        self.limits = limits
        self.secret = secret
    }

    /// Nil without a configured classifier. Throws `ConfigurationError` for a URL that requests are never sent to.
    package init?(_ settings: Settings) throws {
        guard let classifier = settings.classifier else { return nil }
        let exception = FetchPolicy.Exception(
            classifier.host.contains(":") && !classifier.host.hasPrefix("[")
                ? "[\(classifier.host)]:\(classifier.port)" : "\(classifier.host):\(classifier.port)")
        // Plain http is accepted for this machine only, which is an internal host by definition.
        let isPlain = classifier.url.lowercased().hasPrefix("http:")
        let isInternal = isPlain || classifier.allowsPrivate
        let policy = FetchPolicy(
            allowsHTTP: isPlain, ports: [classifier.port], exceptions: isInternal ? [exception].compactMap { $0 } : [])
        do {
            _ = try FetchTarget(classifier.url, policy: policy)
        } catch let refusal as FetchRefusal {
            throw ConfigurationError(problems: [
                "classifier.url: \(refusal.description) For an internal host, set classifier.allow_private."
            ])
        }
        self.init(
            url: classifier.url, policy: policy, limits: ClassifierLimits(classifier), secret: classifier.secret)
    }

    /// A client with a thread for each call that is made at the same time.
    package func client() -> FetchClient { FetchClient(policy: policy, threads: ClassifySubmissions.concurrency) }
}

extension ClassifierLimits {
    package init(_ settings: Settings.Classifier) {
        self.init(
            perHour: settings.perHour, perDay: settings.perDay, cacheSeconds: settings.cache.wholeMilliseconds / 1000,
            timeoutMilliseconds: settings.timeout.wholeMilliseconds)
    }
}
