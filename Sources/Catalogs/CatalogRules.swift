// What the configuration says about catalogs: which there are, where their sources are, how long an answer is good.
import Domain
import Fetch
import Platform
import Store

package struct CatalogRules: Sendable {
    /// Where a source is, and with which key it is asked.
    struct Access: Sendable {
        let address: String
        let key: Secret?
    }

    package let kinds: CatalogKinds
    /// An answer that is younger is given again without asking.
    let freshSeconds: Int
    /// An item that readers see is looked at again when nobody did for so long.
    let refreshSeconds: Int
    /// How often each source may be asked in a minute.
    let perMinute: Int
    /// For connecting, asking and reading together.
    let deadlineMilliseconds: Int
    /// More of an answer is not read, and the answer not used.
    let answerBytes: Int
    package let policy: FetchPolicy
    private let access: [String: Access]

    /// Every adapter; a source that is added gets a line here and its address and key in the configuration.
    static let adapters: [any CatalogAdapter] = [
        GoogleBooksAdapter(), TMDBAdapter(), YelpAdapter(), LastFMAdapter(),
    ]

    /// Throws `ConfigurationError` where a list holds what it cannot, `Failure` where a catalog's file is wrong.
    package init(_ settings: Settings) throws {
        try self.init(settings.catalogs, kinds: CatalogKinds(folder: settings.catalogs.directory))
    }

    package init(_ settings: Settings.Catalogs, kinds: CatalogKinds) throws {
        var problems: [String] = []
        let exceptions = settings.allowPrivate.compactMap { text in
            let exception = FetchPolicy.Exception(text)
            if exception == nil { problems.append("catalogs.allow_private: \"\(text)\" is no host, nor host:port.") }
            return exception
        }
        for kind in kinds.all where Self.adapter(kind.source) == nil {
            problems.append("The catalog \(kind.name) names the source \(kind.source), which nothing here can ask.")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        self.kinds = kinds
        freshSeconds = settings.fresh.wholeSeconds
        refreshSeconds = settings.refresh.wholeSeconds
        perMinute = settings.perMinute
        deadlineMilliseconds = settings.deadline.wholeMilliseconds
        answerBytes = settings.answerBytes
        policy = FetchPolicy(allowsHTTP: settings.allowsHTTP, exceptions: exceptions)
        access = settings.sources.mapValues { Access(address: $0.address, key: $0.key) }
    }

    /// Every source, with what people call it.
    package static var sources: [(name: String, label: String)] { adapters.map { ($0.source, $0.label) } }

    static func adapter(_ source: String) -> (any CatalogAdapter)? { adapters.first { $0.source == source } }

    /// The sources that can be asked: those that need no key, and those that have one.
    var askable: [String] {
        Self.adapters.filter { adapter in
            access[adapter.source].map { $0.key != nil || !adapter.needsKey } ?? false
        }.map(\.source)
    }

    func access(to source: String) -> Access? { access[source] }

    /// What people call a source.
    package func label(of source: String) -> String { Self.adapter(source)?.label ?? source }

    /// The ways in which things of a kind can be looked up.
    package func searches(of kind: CatalogKind) -> [CatalogSearch] {
        Self.adapter(kind.source)?.searches(of: kind.name) ?? []
    }

    /// The question with its values as they are asked: without blanks around them, without those that say nothing.
    /// Throws every message at once, at `/lookup/…`.
    package func check(_ raw: CatalogQuery) throws(Failure) -> CatalogQuery {
        let kind = try kinds.kind(named: raw.kind, pointer: "/lookup/kind")
        let known = searches(of: kind)
        guard let search = known.first(where: { $0.name == raw.search }) else {
            let names = known.map(\.name).joined(separator: ", ")
            throw .invalid(
                FieldErrors("/lookup/search", "choice", "\(kind.plural) can be looked up by one of: \(names)."))
        }
        var errors = FieldErrors()
        var values: [String: String] = [:]
        for name in raw.values.keys.sorted() where !search.fields.contains(where: { $0.name == name }) {
            let names = search.fields.map(\.name).joined(separator: ", ")
            errors.add("/lookup" + FieldErrors.step(name), "unknown_field", "This search takes: \(names).")
        }
        for field in search.fields {
            let text = PlainText.singleLine(raw[field.name] ?? "")
            let pointer = "/lookup/" + field.name
            if text.isEmpty {
                if field.isNeeded { errors.add(pointer, "required", "\(field.label): this is needed.") }
            } else if let (code, message) = Self.objection(to: text, field.rule) {
                errors.add(pointer, code, "\(field.label): \(message)")
            } else {
                values[field.name] = text
            }
        }
        try errors.throwIfAny()
        return CatalogQuery(kind: kind.name, search: search.name, values: values)
    }

    private static func objection(
        to text: String, _ rule: CatalogSearch.Rule
    ) -> (code: String, message: String)? {
        switch rule {
        case .words:
            return text.count > 200 || text.utf8.count > 800 ? ("too_long", "At most 200 characters.") : nil
        case .latitude: return isNumber(text, within: 90) ? nil : ("format", "A number from -90 to 90.")
        case .longitude: return isNumber(text, within: 180) ? nil : ("format", "A number from -180 to 180.")
        case .page:
            return Int(text).map { (1...500).contains($0) } == true ? nil : ("format", "A number from 1 to 500.")
        case .language:
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            let isLanguage =
                parts.count <= 2 && parts.allSatisfy { $0.utf8.count == 2 }
                && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
            return isLanguage ? nil : ("format", "Two letters, or two and two as en-US.")
        }
    }

    private static func isNumber(_ text: String, within limit: Double) -> Bool {
        // Double also reads words such as "nan".
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
        guard isDecimal, let number = Double(text) else { return false }
        return number >= -limit && number <= limit
    }
}
