// The read tables as the database describes itself: columns, keys, who may read, and what refuses a bad publication.
import Domain
import Postgres

package struct ReadContract: Sendable {
    package struct Table: Sendable {
        package let name: String
        package let about: String
        /// The columns of the primary key, in its order.
        package let key: [String]
        package let columns: [Column]
        /// Named rules beside the primary key: name and definition, by name.
        package let rules: [Rule]
        /// Who may read it, of `reader` and `guest`.
        package let readers: [String]
    }

    package struct Column: Sendable {
        package let name: String
        package let type: String
        package let isNullable: Bool
        package let about: String
    }

    package struct Rule: Sendable {
        package let name: String
        package let definition: String
        /// What a person is told when it refuses, and at which field; nil where no sentence is.
        package let sentence: String?
    }

    package let tables: [Table]

    private static let columns: SQL = """
        select c.relname as table_name, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
            not a.attnotnull as is_nullable, coalesce(col_description(c.oid, a.attnum), '') as about
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where n.nspname = 'api_v1' and c.relkind = 'r' order by c.relname collate "C", a.attnum
        """

    private static let rules: SQL = """
        select c.relname as table_name, k.conname as name, pg_get_constraintdef(k.oid) as definition
        from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'api_v1' and k.contype in ('c', 'u', 'x') order by k.conname collate "C"
        """

    /// Reads what the database says; `roles` are those of the deployment.
    package static func read(_ database: Database, roles: Roles) async throws -> ReadContract {
        let connection = database.connection
        let columns = try await connection.rows(columns) { row in
            (
                table: try row("table_name") as String,
                column: Column(
                    name: try row("name"), type: try row("type"), isNullable: try row("is_nullable"),
                    about: try row("about"))
            )
        }
        let rules = try await connection.rows(rules) { row in
            let name: String = try row("name")
            return (
                table: try row("table_name") as String,
                rule: Rule(
                    name: name, definition: try row("definition"),
                    sentence: ConstraintRules.rule(for: name)?("").described)
            )
        }
        let tables = try await connection.rows(
            """
            select c.relname as name, coalesce(obj_description(c.oid), '') as about,
                coalesce((select array_agg(a.attname::text order by k.place)
                    from pg_index i cross join unnest(i.indkey) with ordinality k (number, place)
                    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
                    where i.indrelid = c.oid and i.indisprimary), '{}') as key,
                array_remove(array[
                    case when has_table_privilege(\(roles.reader), c.oid, 'select') then 'reader' end,
                    case when has_table_privilege(\(roles.guest), c.oid, 'select') then 'guest' end], null) as readers
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = 'api_v1' and c.relkind = 'r' order by c.relname collate "C"
            """
        ) { row in
            let name: String = try row("name")
            return Table(
                name: name, about: try row("about"), key: try row("key"),
                columns: columns.filter { $0.table == name }.map(\.column),
                rules: rules.filter { $0.table == name }.map(\.rule), readers: try row("readers"))
        }
        return ReadContract(tables: tables)
    }

    /// The part of docs/reference/read-tables.md that follows from the database.
    package var markdown: String { tables.map(Self.markdown).joined() }

    private static func markdown(_ table: Table) -> String {
        var text = "\n### `\(table.name)`\n\n\(table.about)\n\n"
        text += "Key: \(table.key.map { "`\($0)`" }.joined(separator: ", ")). "
        text += table.readers.contains("guest") ? "Guests may read it.\n\n" : "Not for guests.\n\n"
        text += "| column | type | |\n|---|---|---|\n"
        for column in table.columns {
            text +=
                "| `\(column.name)` | `\(column.type)`\(column.isNullable ? ", may be null" : "") | \(column.about) |\n"
        }
        if table.rules.isEmpty { return text }
        text += "\n| a publication is refused unless | what the person is told |\n|---|---|\n"
        for rule in table.rules {
            let definition = rule.definition.replacing("|", with: "\\|")
            text += "| `\(rule.name)`: `\(definition)` | \(rule.sentence ?? "the rule by its name") |\n"
        }
        return text
    }
}

extension Failure {
    /// The sentence with the field it is about.
    fileprivate var described: String {
        guard case .invalid(let errors) = self, let item = errors.items.first else { return sentence }
        return "at `\(item.pointer)`: \(item.message)"
    }
}
