// Checks that references lead to entries of the types that their fields take, and to catalog items that exist.
import Domain
import Localization

extension EntryStore {
    /// The errors of the references of each content, in their order: there is no such entry or catalog item, or the field does
    /// not take the type of the entry. One query for all entries and one for all items; none without references.
    package func targetErrors(in contents: [Content], of type: ContentType) async throws -> [FieldErrors] {
        zip(try await entryErrors(in: contents, of: type), try await itemErrors(in: contents, of: type)).map {
            var (errors, more) = $0
            errors.add(more)
            return errors
        }
    }

    private func itemErrors(in contents: [Content], of type: ContentType) async throws -> [FieldErrors] {
        let references = contents.map { type.catalogItems(in: $0.fields) }
        let named = Set(references.joined().map(\.id))
        guard !named.isEmpty, let items = connection.catalogItems else { return contents.map { _ in FieldErrors() } }
        let known = Set(try await items.find(Array(named)).map(\.id))
        return references.map { references in
            var errors = FieldErrors()
            for reference in references where !known.contains(reference.id) {
                let message = tr("There is no catalog item with the ID \(reference.id).")
                errors.add(reference.pointer, "reference", message)
            }
            return errors
        }
    }

    private func entryErrors(in contents: [Content], of type: ContentType) async throws -> [FieldErrors] {
        let references = contents.map { $0.references(of: type) }
        let named = Set(references.joined().map(\.id))
        if named.isEmpty { return contents.map { _ in FieldErrors() } }
        let found = Dictionary(try await types(of: Array(named))) { first, _ in first }
        return references.map { references in
            var errors = FieldErrors()
            for reference in references {
                guard let type = found[reference.id] else {
                    errors.add(reference.pointer, "reference", tr("There is no entry with the ID \(reference.id)."))
                    continue
                }
                if reference.targets.contains(type) { continue }
                let names = reference.targets.joined(separator: ", ")
                let message = tr("\(reference.label): Choose an entry of the type \(names), not \(type).")
                errors.add(reference.pointer, "reference", message)
            }
            return errors
        }
    }

    /// Throws `Failure.invalid` with the errors of the first content that has any.
    package func checkTargets(of contents: [Content], _ type: ContentType) async throws {
        for errors in try await targetErrors(in: contents, of: type) { try errors.throwIfAny() }
    }
}
