// A role of staff accounts: a named set of permissions. Four presets come with the program; teams define their own.
import Localization

package struct Role: Sendable, Hashable {
    /// Such as "moderator"; never changes.
    package let name: String
    package let permissions: Set<Permission>
    /// A preset is part of the program and can't be changed.
    package let isPreset: Bool
    private let ownLabel: String

    package init(name: String, label: String, permissions: Set<Permission>, isPreset: Bool = false) {
        (self.name, self.permissions, self.isPreset) = (name, permissions, isPreset)
        ownLabel = label
    }

    package func may(_ permission: Permission) -> Bool { permissions.contains(permission) }

    /// Whether it has all permissions of another role: then it may do what is assigned to the other. The database applies
    /// the same rule (`ops.role_includes`).
    package func includes(_ other: Role) -> Bool { permissions.isSuperset(of: other.permissions) }

    /// Whether menus of assignees and stages offer it. All presets include the curator, so requiring one excludes nobody.
    package var isWorthRequiring: Bool { self != .curator }
}

extension Role {
    package static let curator = preset("curator", "Curator", [.readQueue, .decide, .suggest])
    package static let editor = preset(
        "editor", "Editor", curator.permissions.union([.edit, .approve, .createRelease]))
    package static let publisher = preset("publisher", "Publisher", editor.permissions.union([.publish]))
    package static let administrator = preset("administrator", "Administrator", Set(Permission.allCases))

    /// Each includes the ones before it.
    package static let presets = [curator, editor, publisher, administrator]

    private static func preset(_ name: String, _ label: String, _ permissions: Set<Permission>) -> Role {
        Role(name: name, label: label, permissions: permissions, isPreset: true)
    }

    private static var presetLabels: [String: String] {
        [
            "curator": tr("Curator", context: "role"), "editor": tr("Editor", context: "role"),
            "publisher": tr("Publisher", context: "role"), "administrator": tr("Administrator", context: "role"),
        ]
    }

    private static var presetLabelsInText: [String: String] {
        [
            "curator": tr("curator", context: "role"), "editor": tr("editor", context: "role"),
            "publisher": tr("publisher", context: "role"), "administrator": tr("administrator", context: "role"),
        ]
    }

    private static var presetPeople: [String: String] {
        [
            "curator": tr("curators", context: "role"), "editor": tr("editors", context: "role"),
            "publisher": tr("publishers", context: "role"), "administrator": tr("administrators", context: "role"),
        ]
    }

    private static var presetMeanings: [String: String] {
        [
            "curator": tr("reviews submissions, suggests edits"),
            "editor": tr("edits and approves, creates releases"),
            "publisher": tr("schedules, publishes and rolls back"),
            "administrator": tr("everything, including accounts, API clients and webhooks"),
        ]
    }
}

extension Role {
    package var label: String { (isPreset ? Self.presetLabels[name] : nil) ?? ownLabel }

    /// The label within a sentence; the label of a team's own role stays as it was written.
    package var labelInText: String { (isPreset ? Self.presetLabelsInText[name] : nil) ?? label }

    /// The people with this role, within a sentence.
    package var people: String { (isPreset ? Self.presetPeople[name] : nil) ?? label }

    /// A short description of its permissions.
    package var meaning: String {
        (isPreset ? Self.presetMeanings[name] : nil)
            ?? Permission.allCases.filter(may).map(\.label).joined(separator: ", ")
    }
}
