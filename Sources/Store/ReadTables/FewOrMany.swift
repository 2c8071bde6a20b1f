// Reads one page of the rows that match a filter, in an order that no index has together with the filter.
import Postgres

/// Few matches are all compared. Of many, enough for a page are found soon among all rows in that order. There the
/// filter must be written so that no index seems to help: the planner would read all matches from it and sort them.
package enum FewOrMany {
    /// Up to this many matches are all compared.
    package static let most = 20_000
    /// The condition of the select that compares all matches.
    package static let areFew: SQL = "(select are_few from matches)"
    /// The condition of the select that reads in the order.
    package static let areMany: SQL = "not (select are_few from matches)"

    /// A query of the rows of both selects, of which one finds nothing. `common` are table expressions that they use;
    /// `count` selects the number of matches, and may stop beyond `most`.
    package static func query(with common: SQL, count: SQL, most: Int, few: SQL, many: SQL) -> SQL {
        """
        with \(common),
        matches as materialized (select (\(count)) <= \(fixed: most) as are_few)
        (\(few))
        union all
        (\(many))
        """
    }
}
