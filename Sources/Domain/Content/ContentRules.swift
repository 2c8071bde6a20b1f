// The content types and the cleaning of their texts, which every content change is validated against.
import Localization

/// Threads for work that would delay other requests.
package protocol WorkRunner: Sendable {
    /// Runs `work` off the event loops; throws at once if too much waits already.
    func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws -> Result
}

package struct ContentRules: Sendable {
    /// Markup up to this many bytes takes less time than the way to another thread and back.
    private static let quickBytes = 4096
    /// The same for all texts of what a page shows.
    private static let quickPageBytes = 16_384

    package let types: ContentTypes
    private let cleaning: FieldCleaning
    private let plainText: @Sendable (String) -> String
    private let workers: any WorkRunner
    private let catalogs: CatalogSources?

    /// `plainText` strips the markup from cleaned HTML; `workers` parse long markup; `catalogs` is nil without any.
    package init(
        types: ContentTypes, cleaning: FieldCleaning, plainText: @escaping @Sendable (String) -> String,
        workers: any WorkRunner, catalogs: CatalogSources? = nil
    ) {
        self.catalogs = catalogs
        self.types = types
        self.cleaning = cleaning
        self.plainText = plainText
        self.workers = workers
    }

    /// The content type of this name. Throws `Failure.invalid` at `pointer` if it is unknown.
    package func type(named name: String, pointer: String = "/type") throws(Failure) -> ContentType {
        if let type = types[name] { return type }
        let names = types.all.map(\.name).joined(separator: ", ")
        throw .invalid(FieldErrors(pointer, "choice", tr("Unknown content type \(name). Choose one of: \(names).")))
    }

    /// Validates and cleans the fields of a submission or revision; reports all errors at once, and what was removed as
    /// warnings. Long markup is parsed off the event loops; if too much of it waits, this throws `Failure.unavailable`,
    /// like the methods below. `base` is the URL that relative addresses in markup refer to; `stored` is what the content
    /// replaces (`ContentType.check`).
    package func checked(
        _ raw: [String: JSONValue], as type: ContentType, for purpose: ContentType.Purpose, base: String? = nil,
        keeping stored: [String: JSONValue] = [:]
    ) async throws -> CheckedContent {
        try await offLoop(isQuick(raw)) {
            Result { () throws(Failure) in
                let unknown = catalogs?.errors(in: raw, of: type) ?? FieldErrors()
                var checked: CheckedContent
                do throws(Failure) {
                    checked = try type.check(
                        raw, purpose: purpose, cleaning: cleaning, base: base, keeping: stored)
                } catch {
                    guard case .invalid(var errors) = error else { throw error }
                    errors.add(unknown)
                    throw .invalid(errors)
                }
                try unknown.throwIfAny()
                if purpose == .revision { checked.texts = derivedTexts(of: checked.content, in: type) }
                return checked
            }
        }.get()
    }

    /// What sanitizing removed from each markup field of an input, as a sentence by the name of the field.
    package func removed(
        from raw: [String: JSONValue], in type: ContentType, base: String? = nil
    ) async throws -> [String: String] {
        try await offLoop(isQuick(raw)) {
            var removed: [String: String] = [:]
            for field in type.fields {
                guard let text = raw[field.name]?.stringValue else { continue }
                switch field.type {
                case .richText: removed[field.name] = (try? cleaning.richText(text, base))?.removed
                case .markdown: removed[field.name] = (try? cleaning.markdown(text))?.removed
                default: continue
                }
            }
            return removed
        }
    }

    /// The text of all markup fields without the markup, for search, previews and diffs.
    package func plain(_ content: Content, in type: ContentType) async throws -> String {
        try await texts(of: content, in: type).plain
    }

    /// What a version with this content stores beside it.
    package func texts(of content: Content, in type: ContentType) async throws -> DerivedTexts {
        try await offLoop(isQuick(content.fields)) { derivedTexts(of: content, in: type) }
    }

    private func derivedTexts(of content: Content, in type: ContentType) -> DerivedTexts {
        var html: [String: String] = [:]
        for (path, source) in content.markdown(of: type) {
            // Checked content always renders.
            html[path] = (try? cleaning.markdown(source))?.html
        }
        let plain = content.markup(of: type).compactMap { path, field, value in
            field.type == .richText ? value : html[path]
        }
        return DerivedTexts(plain: plain.map(plainText).joined(separator: "\n"), html: html)
    }

    /// Runs work of a page that grows with the texts of these contents, such as sanitizing and comparing them.
    package func rendering<Result: Sendable>(
        _ contents: [Content], _ work: @escaping @Sendable () -> Result
    ) async throws -> Result {
        let bytes = contents.reduce(0) { $0 + $1.fields.size }
        return try await offLoop(bytes < Self.quickPageBytes, work)
    }

    private func isQuick(_ raw: [String: JSONValue]) -> Bool {
        raw.values.allSatisfy { $0.isShorter(than: Self.quickBytes) }
            && raw.size < Self.quickPageBytes
    }

    private func offLoop<Result: Sendable>(
        _ isQuick: Bool, _ work: @escaping @Sendable () -> Result
    ) async throws -> Result {
        if isQuick { return work() }
        // A worker has no task, and so no language and no zone.
        let (messages, clock) = (MessageCatalog.current, ZoneClock.current)
        return try await workers.run {
            MessageCatalog.$current.withValue(messages) { ZoneClock.$current.withValue(clock, operation: work) }
        }
    }
}

extension JSONValue {
    /// The bytes of all texts in it, and some for each value.
    fileprivate var size: Int {
        switch self {
        case .string(let text): 8 + text.utf8.count
        case .array(let values): values.reduce(8) { $0 + $1.size }
        case .object(let members): 8 + members.size
        default: 8
        }
    }

    /// Whether no text in it reaches this many bytes.
    fileprivate func isShorter(than bytes: Int) -> Bool {
        switch self {
        case .string(let text): text.utf8.count < bytes
        case .array(let values): values.allSatisfy { $0.isShorter(than: bytes) }
        case .object(let members): members.values.allSatisfy { $0.isShorter(than: bytes) }
        default: true
        }
    }
}

extension [String: JSONValue] {
    fileprivate var size: Int { reduce(0) { $0 + $1.key.utf8.count + $1.value.size } }
}
