// Describes the projections in Markdown: what their rows depend on, and the generated functions of one of them.
import Domain
import Postgres

package enum ProjectionReference {
    /// The generated part of docs/reference/projections.md, from what is installed in the database.
    package static func read(_ database: Database) async throws -> String {
        let rows = try await database.connection.rows(
            """
            select concat_ws(' | ', '| `' || projection || '`', '`' || cause || '`', rule,
                coalesce(array_to_string(kinds, ', '), ''), coalesce('`' || field || '`', ''),
                case when watched = '{}' then 'none' else coalesce('`' || array_to_string(watched, '`, `') || '`', '') end,
                coalesce('`' || function || '`', '')) || ' |' as line
            from projection.dependency d order by d::text collate "C"
            """
        ) { "\(try $0("line") as String)\n" }
        let functions = try await database.connection.rows(
            """
            select pg_get_functiondef(p.oid) as definition from pg_proc p
            where p.pronamespace = 'projection'::regnamespace and p.proname in ('affected_item', 'apply_item') order by p.proname
            """
        ) { "```sql\n\(try $0("definition") as String)```\n" }
        return "\n| projection | cause | rule | kinds | field | watched | function |\n|---|---|---|---|---|---|---|\n"
            + rows.joined() + "\n## Two generated functions\n\n" + functions.joined(separator: "\n")
    }
}
