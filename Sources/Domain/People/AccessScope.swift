// The content that an account can access: some content types, some category groups, or all.

package struct AccessScope: Sendable, Hashable {
    /// Names of content types; empty means all.
    package let types: Set<String>
    /// Category groups; empty means all. Groups do not restrict content without categories, such as texts and settings.
    package let groups: Set<ID<Entry>>

    package static let all = AccessScope(types: [], groups: [])

    /// The scope of the account that a page is for; all outside of pages. What pages list is in this scope.
    @TaskLocal package static var current = AccessScope.all

    package init(types: Set<String>, groups: Set<ID<Entry>>) {
        self.types = types
        self.groups = groups
    }

    package var isAll: Bool { types.isEmpty && groups.isEmpty }

    /// Whether content of this type can be in the scope. Which content is, the database says (`ops.in_access_scope`).
    package func contains(type: String) -> Bool { types.isEmpty || types.contains(type) }
}
