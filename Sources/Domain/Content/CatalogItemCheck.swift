// Checks the value of a catalog item: an id of ours or, in a submission, a reference.
import Localization

extension FieldCheck {
    /// An id of ours; in a submission also a reference, which the approval replaces by an id (D2).
    mutating func catalogItem(_ raw: JSONValue) -> JSONValue? {
        if let text = raw.stringValue, text.hasPrefix("{"), let parsed = try? JSONValue(parsing: Array(text.utf8)) {
            return catalogReference(parsed)
        }
        if case .object = raw { return catalogReference(raw) }
        guard let written = filled(raw, tr("Enter a catalog item ID.")) else { return nil }
        guard let id = ID<CatalogItem>(written) else {
            return refuse("reference", tr("This is not a catalog item ID."))
        }
        return .string(id.description)
    }

    private mutating func catalogReference(_ raw: JSONValue) -> JSONValue? {
        let expected = tr("Enter a catalog item ID, a source and external_id, or a title.")
        guard let members = object(raw, knowing: CatalogReference.members, expected) else { return nil }
        var checked: [String: JSONValue] = [:]
        for (name, maxLength) in [("kind", 63), ("source", 63), ("external_id", 500), ("title", 300)] {
            checked[name] = line(members[name], maxLength: maxLength, below: "/" + name)
        }
        checked["year"] = count(members["year"], 1000...2999, below: "/year")
        guard errors.isEmpty else { return nil }
        guard let reference = CatalogReference(.object(checked)) else { return refuse("required", expected) }
        if context.purpose == .submission { return .object(checked) }
        return refuse("unresolved", tr("Choose the catalog item for \(reference.label)."))
    }
}
