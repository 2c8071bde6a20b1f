// A catalog: the kind of its items, their source and the schema of their details. Read from a file (D16).
import Domain
import Localization

package struct CatalogKind: Sendable, Equatable {
    /// The name in the read tables and the API: `movie`.
    package let name: String
    /// The label of one item: "Film".
    @Translated package var label: String
    @Translated package var plural: String
    /// The adapter of the source: `tmdb`.
    package let source: String
    /// The schema of `details`; members that it does not name are kept unchanged (D8).
    package let details: DetailSchema
}

/// All catalogs of a deployment, read from files and validated together.
package struct CatalogKinds: Sendable {
    /// Sorted by name.
    package let all: [CatalogKind]

    /// Reads the files of `Config/catalogs`; names have no folder. Throws `Failure.invalid` with all errors of all
    /// files at
    /// once, at pointers such as `movie.json#/details/properties/year/type`.
    package init(files: [(name: String, bytes: [UInt8])]) throws(Failure) {
        var errors = FieldErrors()
        var kinds: [CatalogKind] = []
        for file in files.sorted(by: { $0.name < $1.name }) {
            do throws(Failure) {
                kinds.append(Self.read(try JSONValue(parsing: file.bytes), file: file.name, &errors))
            } catch {
                if case .invalid(let found) = error {
                    for item in found.items { errors.add("\(file.name)#\(item.pointer)", item.code, item.message) }
                }
            }
        }
        try errors.throwIfAny()
        all = kinds
    }

    package subscript(name: String) -> CatalogKind? { all.first { $0.name == name } }

    /// The catalog of this name. Throws `Failure.invalid` at `pointer` if it is unknown.
    package func kind(named name: String, pointer: String = "/kind") throws(Failure) -> CatalogKind {
        if let kind = self[name] { return kind }
        let names = all.map(\.name).joined(separator: ", ")
        throw .invalid(FieldErrors(pointer, "choice", tr("Unknown catalog \(name). Choose one of: \(names).")))
    }

    private static func read(_ document: JSONValue, file: String, _ errors: inout FieldErrors) -> CatalogKind {
        var reader = MemberReader(document, at: file + "#")
        let name = reader.text("name")
        if file != name + ".json" {
            reader.add("name", "format", tr("The catalog \(name) must be in a file named \(name).json."))
        }
        let schema = DetailSchema(reading: reader.value("details") ?? .null, at: file + "#/details", &errors)
        let kind = CatalogKind(
            name: name, label: reader.text("label"), plural: reader.text("plural"), source: reader.text("source"),
            details: schema)
        reader.refuseUnknown()
        errors.add(reader.errors)
        return kind
    }
}
