// How many filters of a list are set, besides its search text: on phones, where they are folded, their button says so.

package enum FilterCount {
    /// Nil for none.
    package static func of(_ count: Int) -> Int? { count == 0 ? nil : count }

    /// How many of these are; nil for none.
    package static func of(_ areSet: Bool...) -> Int? { of(areSet.count { $0 }) }
}
