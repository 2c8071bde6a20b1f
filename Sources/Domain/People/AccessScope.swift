// What of the content somebody works on: some content types, some category groups, or all.

package struct AccessScope: Sendable, Hashable {
    /// Names of content types; empty is all.
    package let types: Set<String>
    /// Category groups; empty is all.
    package let groups: Set<ID<Entry>>

    package static let all = AccessScope(types: [], groups: [])

    package init(types: Set<String>, groups: Set<ID<Entry>>) {
        self.types = types
        self.groups = groups
    }

    package var isAll: Bool { types.isEmpty && groups.isEmpty }

    /// Whether something is within it, by its content type and the category groups that it belongs to. What belongs to none
    /// is not narrowed by groups: texts and settings, and what has still to be put into a category. The database decides by
    /// the same rule (`ops.in_access_scope`).
    package func holds(type: String, groups given: Set<ID<Entry>> = []) -> Bool {
        (types.isEmpty || types.contains(type)) && (groups.isEmpty || given.isEmpty || !groups.isDisjoint(with: given))
    }
}
