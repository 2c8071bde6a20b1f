// One catalog: what its items are, where they come from, and what their details must be. Data, not code (D16).

package struct CatalogKind: Sendable, Equatable {
    /// As the read tables and the API say it: `movie`.
    package let name: String
    /// One of them: "Film".
    package let label: String
    package let plural: String
    /// The adapter that looks things up: `tmdb`.
    package let source: String
    /// What `details` must be; members that it does not name are kept as they are (D8).
    package let details: DetailSchema
}

/// All catalogs of a deployment, read from their files and checked as a whole.
package struct CatalogKinds: Sendable {
    /// In the order of their names.
    package let all: [CatalogKind]

    /// Takes the files of `Config/catalogs`, each with its name without a folder. Throws `Failure.invalid` with every
    /// problem of every file at once, at pointers such as `movie.json#/details/properties/year/type`.
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

    /// The catalog of a name; another one is refused at `pointer`.
    package func kind(named name: String, pointer: String = "/kind") throws(Failure) -> CatalogKind {
        if let kind = self[name] { return kind }
        let names = all.map(\.name).joined(separator: ", ")
        throw .invalid(FieldErrors(pointer, "choice", "There is no catalog named \(name); there are \(names)."))
    }

    private static func read(_ document: JSONValue, file: String, _ errors: inout FieldErrors) -> CatalogKind {
        var reader = MemberReader(document, at: file + "#")
        let name = reader.text("name")
        if file != name + ".json" {
            reader.add("name", "format", "The catalog \(name) belongs in a file named \(name).json.")
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
