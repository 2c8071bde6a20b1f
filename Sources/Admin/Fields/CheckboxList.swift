// A list of checkboxes in groups. A long one begins with what is selected, and a script searches it.
import Domain
import Localization

struct CheckboxList: Encodable, Sendable {
    let groups: [OptionGroup]
    /// So long that it is searched.
    let isLong: Bool

    init(_ groups: [OptionGroup], chosen: [String] = []) {
        let all = groups.flatMap(\.options)
        isLong = all.count > FieldChoices.shortListLength
        let selected = chosen.compactMap { value in all.first { $0.value == value } }
        guard isLong, !selected.isEmpty else {
            self.groups = groups
            return
        }
        let rest = groups.map { group in
            // A list without groups continues below a heading.
            OptionGroup(
                title: group.title ?? tr("All", context: "choices"), options: group.options.filter { !$0.isChosen })
        }
        self.groups =
            [OptionGroup(title: tr("Selected", context: "choices"), options: selected)]
            + rest.filter { !$0.options.isEmpty }
    }
}
