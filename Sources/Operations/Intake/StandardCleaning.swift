// The content rules of the product: the content types with Markup's sanitizers.
import Domain
import FoundationEssentials
import Markup
import Platform

/// Parses long markup for all requests of the process.
private struct MarkupWorkers: WorkRunner {
    /// One text takes at most about a second, most take milliseconds. More threads than these would take both cores of
    /// a small server from other requests.
    private static let pool = WorkerPool(threads: 2, waiting: 62)

    func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws -> Result {
        do {
            return try await Self.pool.run(work)
        } catch is WorkersBusy {
            throw Failure.unavailable("Too many long texts are being checked. Try again in a moment.")
        }
    }
}

extension ContentRules {
    /// HTML is sanitized; Markdown must convert and is stored without HTML tags, with its HTML beside it.
    package init(types: ContentTypes, catalogs: CatalogSources? = nil) {
        self.init(
            types: types,
            cleaning: FieldCleaning(
                richText: { html, base throws(FieldCleaning.Refusal) in
                    try Self.cleaned { () throws(HTMLRefusal) in
                        try HTMLSanitizer.clean(html, base: base.flatMap { URL(string: $0) })
                    }
                },
                markdown: { source throws(FieldCleaning.Refusal) in
                    try Self.cleaned { () throws(HTMLRefusal) in try Markdown.clean(source) }
                }),
            // Sanitized text always parses.
            plainText: { (try? HTMLSanitizer.plainText($0)) ?? "" }, workers: MarkupWorkers(), catalogs: catalogs)
    }

    private static func cleaned(
        _ clean: () throws(HTMLRefusal) -> CleanedHTML
    ) throws(FieldCleaning.Refusal) -> FieldCleaning.Cleaned {
        do {
            let cleaned = try clean()
            return FieldCleaning.Cleaned(html: cleaned.html, removed: cleaned.sentence, source: cleaned.source)
        } catch {
            throw FieldCleaning.Refusal(reason: error.description)
        }
    }
}
