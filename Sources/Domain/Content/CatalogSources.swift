// The catalogs of a deployment and the sources that describe their items, which references in submissions must name.
import Localization

package struct CatalogSources: Sendable {
    /// The names of the sources by the name of the catalog: `movie` has `tmdb`.
    private let sources: [String: Set<String>]

    package init(_ sources: [String: Set<String>]) {
        self.sources = sources
    }

    /// The errors of references to catalog items that name an unknown catalog, an unknown source, or a source that does not
    /// describe the items of the catalog.
    func errors(in fields: [String: JSONValue], of type: ContentType) -> FieldErrors {
        var errors = FieldErrors()
        for (pointer, reference) in type.catalogReferences(in: fields) {
            let kind = reference.kind.map(PlainText.singleLine).flatMap { $0.isEmpty ? nil : $0 }
            if let kind, sources[kind] == nil {
                let message = tr("Unknown catalog \(kind). Choose one of: \(Self.list(sources.keys)).")
                errors.add(pointer + "/kind", "choice", message)
                continue
            }
            guard let source = reference.source.map(PlainText.singleLine) else { continue }
            let known = kind.flatMap { sources[$0] } ?? sources.values.reduce(into: []) { $0.formUnion($1) }
            if known.contains(source) { continue }
            let message =
                kind.map { tr("The catalog \($0) has no source \(source). Choose one of: \(Self.list(known)).") }
                ?? tr("Unknown source \(source). Choose one of: \(Self.list(known)).")
            errors.add(pointer + "/source", "choice", message)
        }
        return errors
    }

    private static func list(_ names: some Sequence<String>) -> String { names.sorted().joined(separator: ", ") }
}
