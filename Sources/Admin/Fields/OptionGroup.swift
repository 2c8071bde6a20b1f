// Options under one heading, of a menu or of a list of checkboxes.
import Domain
import Localization
import Store

struct OptionGroup: Encodable, Sendable {
    struct Choice: Encodable, Sendable {
        let id: String
        let value: String
        let label: String
        let isChosen: Bool
        /// A short note, such as "Not published".
        let note: String?
    }

    let title: String?
    let options: [Choice]

    /// The options of a choice field, including an invalid current value, so that it is not lost silently.
    static func options(of field: Field, chosen: String, _ id: String) -> OptionGroup {
        var options = field.choices.map {
            Choice(id: id, value: $0.value, label: $0.label, isChosen: $0.value == chosen, note: nil)
        }
        if !field.required || chosen.isEmpty { options.insert(none(id, isChosen: chosen.isEmpty), at: 0) }
        if !chosen.isEmpty, !options.contains(where: \.isChosen) {
            options.append(
                Choice(id: id, value: chosen, label: chosen, isChosen: true, note: tr("Invalid", context: "kind")))
        }
        return OptionGroup(title: nil, options: options)
    }

    static func none(_ id: String, isChosen: Bool) -> Choice {
        Choice(id: id, value: "", label: "–", isChosen: isChosen, note: nil)
    }

    /// Entries by group, followed by chosen entries that are not in the list (any more).
    static func groups(_ groups: [FieldChoices.Group], chosen: [String], _ id: String) -> [OptionGroup] {
        var unknown = chosen.filter { !$0.isEmpty }
        var shown = groups.map { group in
            OptionGroup(
                title: group.title,
                // An archived category is shown only where it is still assigned.
                options: group.choices.filter { !$0.isArchived || chosen.contains($0.id.description) }.map { choice in
                    let value = choice.id.description
                    unknown.removeAll { $0 == value }
                    let state: String? =
                        choice.isLive
                        ? (choice.content["source_category"] == nil ? nil : tr("Filled from a category"))
                        : choice.isArchived ? tr("Archived", context: "kind") : tr("Not published")
                    let notes = [choice.note, state].compactMap(\.self)
                    return Choice(
                        id: "\(id)-\(value)", value: value, label: choice.title, isChosen: chosen.contains(value),
                        note: notes.isEmpty ? nil : notes.joined(separator: ", "))
                })
        }.filter { !$0.options.isEmpty }
        if !unknown.isEmpty {
            let options = unknown.enumerated().map { number, value in
                Choice(
                    id: "\(id)-unknown-\(number)", value: value, label: value, isChosen: true,
                    note: tr("Not in the list"))
            }
            shown.append(OptionGroup(title: tr("Other", context: "kind"), options: options))
        }
        return shown
    }
}
