// Checkboxes of categories outside of the fields of a content type, such as those of a bulk action.
import Domain
import Localization
import Store

/// The model of `partial/checkboxes`.
package struct CategoryCheckboxes: Encodable, Sendable {
    let name: String
    /// They are inside of their form.
    let form: String?
    let groups: [OptionGroup]
    let isLong: Bool

    /// `value` is what the form sends for a category.
    init(
        _ name: String, _ groups: [FieldChoices.Group], chosen: [String], value: (EntryChoice) -> String,
        where isOffered: (EntryChoice) -> Bool
    ) {
        let options = groups.map { group in
            OptionGroup(
                title: group.title,
                options: group.choices.filter(isOffered).map { choice in
                    OptionGroup.Choice(
                        id: "\(name)-\(choice.id)", value: value(choice),
                        label: choice.title.isEmpty ? choice.slug : choice.title,
                        isChosen: chosen.contains(value(choice)),
                        note: choice.isArchived ? tr("archived", context: "bulk action") : nil)
                })
        }
        let list = CheckboxList(options.filter { !$0.options.isEmpty }, chosen: chosen)
        self.name = name
        form = nil
        (self.groups, isLong) = (list.groups, list.isLong)
    }

    /// The slugs of the categories that entries can get, those first that the person of the request chose last.
    package static func slugs(
        _ request: AdminRequest, name: String, chosen: [String]
    ) async throws -> CategoryCheckboxes {
        CategoryCheckboxes(name, try await FieldChoices.categories(request), chosen: chosen, value: \.slug) {
            !$0.isArchived && $0.mergedInto == nil
        }
    }
}
