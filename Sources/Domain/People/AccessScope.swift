// The content that an account can access: some content types, some category groups, or all.

package struct AccessScope: Sendable, Hashable {
    /// Names of content types; empty means all.
    package let types: Set<String>
    /// Category groups; empty means all.
    package let groups: Set<ID<Entry>>

    package static let all = AccessScope(types: [], groups: [])

    package init(types: Set<String>, groups: Set<ID<Entry>>) {
        self.types = types
        self.groups = groups
    }

    package var isAll: Bool { types.isEmpty && groups.isEmpty }

    /// Whether content of this type and these category groups is in the scope. Groups do not restrict content without
    /// categories, such as texts, settings and uncategorized submissions. The database applies the same rule
    /// (`ops.in_access_scope`).
    package func contains(type: String, groups given: Set<ID<Entry>> = []) -> Bool {
        (types.isEmpty || types.contains(type)) && (groups.isEmpty || given.isEmpty || !groups.isDisjoint(with: given))
    }
}
