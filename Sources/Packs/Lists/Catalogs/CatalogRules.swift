// The configured catalogs: their kinds, the URLs and keys of their sources, and the limits.
import Domain
import Fetch
import Localization
import Platform
import Store

package struct CatalogRules: Sendable {
    /// The URL and the key of a source.
    struct Access: Sendable {
        let url: String
        let key: Secret?
    }

    package let kinds: CatalogKinds
    /// A younger response is used again without a request.
    let freshSeconds: Int
    /// A published item that was not checked for this long is refreshed.
    let refreshSeconds: Int
    /// The most requests to each source in a minute.
    let perMinute: Int
    /// The timeout of a request, including connecting.
    let deadlineMilliseconds: Int
    /// A longer response is not used.
    let responseBytes: Int
    package let policy: FetchPolicy
    private let access: [String: Access]

    /// Every adapter. A new source needs a line here, and its URL and key in the configuration.
    static let adapters: [any CatalogAdapter] = [
        GoogleBooksAdapter(), TMDBAdapter(), YelpAdapter(), LastFMAdapter(),
    ]

    /// Throws `ConfigurationError` for an invalid setting, `Failure` for an invalid catalog file.
    package init(_ settings: Settings) throws {
        try self.init(settings.catalogs, kinds: CatalogKinds(folder: settings.catalogs.directory))
    }

    package init(_ settings: Settings.Catalogs, kinds: CatalogKinds) throws {
        var problems: [String] = []
        let exceptions = settings.allowPrivate.compactMap { text in
            let exception = FetchPolicy.Exception(text)
            if exception == nil { problems.append("catalogs.allow_private: \"\(text)\" is not a host or host:port.") }
            return exception
        }
        for kind in kinds.all where Self.adapter(kind.source) == nil {
            problems.append(tr("The catalog \(kind.name) names the unknown source \(kind.source)."))
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        self.kinds = kinds
        freshSeconds = settings.fresh.wholeSeconds
        refreshSeconds = settings.refresh.wholeSeconds
        perMinute = settings.perMinute
        deadlineMilliseconds = settings.deadline.wholeMilliseconds
        responseBytes = settings.maxResponseBytes
        policy = FetchPolicy(allowsHTTP: settings.allowsHTTP, exceptions: exceptions)
        access = settings.sources.mapValues { Access(url: $0.url, key: $0.key) }
    }

    /// Every source with its display name.
    package static var sources: [(name: String, label: String)] { adapters.map { ($0.source, $0.label) } }

    /// The sources that describe items of this catalog: its own, and others that know its kind.
    package func sources(of kind: String) -> [(name: String, label: String)] {
        Self.adapters.filter { $0.source == kinds[kind]?.source || $0.kinds.contains(kind) }.map {
            ($0.source, $0.label)
        }
    }

    /// What references in submissions may name.
    package var references: CatalogSources {
        CatalogSources(
            Dictionary(kinds.all.map { ($0.name, Set(sources(of: $0.name).map(\.name))) }) { first, _ in first })
    }

    static func adapter(_ source: String) -> (any CatalogAdapter)? { adapters.first { $0.source == source } }

    /// The sources that need no key or have one.
    var available: [String] {
        Self.adapters.filter { adapter in
            access[adapter.source].map { $0.key != nil || !adapter.needsKey } ?? false
        }.map(\.source)
    }

    func access(to source: String) -> Access? { access[source] }

    /// The display name of a source.
    package func label(of source: String) -> String { Self.adapter(source)?.label ?? source }

    /// The searches for items of a kind.
    package func searches(of kind: CatalogKind) -> [CatalogSearch] {
        Self.adapter(kind.source)?.searches(of: kind.name) ?? []
    }

    /// The query with trimmed values, without empty ones. Throws all errors at once, at `/search/…`.
    package func check(_ raw: CatalogQuery) throws(Failure) -> CatalogQuery {
        let kind = try kinds.kind(named: raw.kind, pointer: "/search/kind")
        let known = searches(of: kind)
        guard let search = known.first(where: { $0.name == raw.search }) else {
            let names = known.map(\.name).joined(separator: ", ")
            throw .invalid(
                FieldErrors("/search/search", "choice", tr("Choose one of these searches: \(names).")))
        }
        var errors = FieldErrors()
        var values: [String: String] = [:]
        for name in raw.values.keys.sorted() where !search.fields.contains(where: { $0.name == name }) {
            let names = search.fields.map(\.name).joined(separator: ", ")
            errors.add(
                "/search" + FieldErrors.step(name), "unknown_field", tr("This search only has the fields \(names)."))
        }
        for field in search.fields {
            let text = PlainText.singleLine(raw[field.name] ?? "")
            let pointer = "/search/" + field.name
            if text.isEmpty {
                if field.isRequired { errors.add(pointer, "required", tr("\(field.label) is required.")) }
            } else if let (code, message) = Self.problem(with: text, field.rule) {
                errors.add(pointer, code, "\(field.label): \(message)")
            } else {
                values[field.name] = text
            }
        }
        try errors.throwIfAny()
        return CatalogQuery(kind: kind.name, search: search.name, values: values)
    }

    private static func problem(
        with text: String, _ rule: CatalogSearch.Rule
    ) -> (code: String, message: String)? {
        switch rule {
        case .text:
            return text.count > 200 || text.utf8.count > 800 ? ("too_long", tr("Enter at most 200 characters.")) : nil
        case .latitude: return isNumber(text, within: 90) ? nil : ("format", tr("Enter a number from -90 to 90."))
        case .longitude: return isNumber(text, within: 180) ? nil : ("format", tr("Enter a number from -180 to 180."))
        case .page:
            return Int(text).map { (1...500).contains($0) } == true
                ? nil : ("format", tr("Enter a number from 1 to 500."))
        case .language:
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            let isLanguage =
                parts.count <= 2 && parts.allSatisfy { $0.utf8.count == 2 }
                && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
            return isLanguage ? nil : ("format", tr("Enter a language such as en or en-US."))
        }
    }

    private static func isNumber(_ text: String, within limit: Double) -> Bool {
        // Double also parses words such as "nan".
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
        guard isDecimal, let number = Double(text) else { return false }
        return number >= -limit && number <= limit
    }
}
