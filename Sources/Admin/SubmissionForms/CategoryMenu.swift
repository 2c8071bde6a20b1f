// The menu for the requested category of a submission form. Submissions name categories, so its values are names.
import Domain
import Localization
import Store

struct CategoryMenu: Encodable, Sendable {
    /// No category, and a name that is none.
    let options: [Option]
    /// The published categories by group.
    let groups: [OptionGroup]

    static func load(_ request: AdminRequest, chosen: String) async throws -> CategoryMenu {
        let found = try await FieldChoices.categories(request.database).map { group in
            (title: group.title, choices: group.choices.filter { $0.isLive && $0.mergedInto == nil })
        }
        var counts: [String: Int] = [:]
        for choice in found.flatMap(\.choices) { counts[choice.title, default: 0] += 1 }
        let groups = found.map { group in
            OptionGroup(
                title: group.title,
                options: group.choices.map { choice in
                    // Two categories with the same name differ by their slugs.
                    let value = counts[choice.title] == 1 ? choice.title : choice.slug
                    return OptionGroup.Choice(
                        id: "", value: value, label: choice.title, isChosen: value == chosen, note: nil)
                })
        }.filter { !$0.options.isEmpty }
        var options = [
            Option(value: "", label: tr("None", context: "submission form"), isChosen: chosen.isEmpty)
        ]
        if !chosen.isEmpty, !groups.flatMap(\.options).contains(where: \.isChosen) {
            options.append(
                Option(value: chosen, label: tr("\(chosen) (not in the list)", context: "category"), isChosen: true))
        }
        return CategoryMenu(options: options, groups: groups)
    }
}
