// Describes the read tables from the database catalog: columns, keys, readers and constraints.
import Domain
import Postgres

package struct ReadContract: Sendable {
    package struct Table: Sendable {
        package let name: String
        package let about: String
        /// The columns of the primary key, in order.
        package let key: [String]
        package let columns: [Column]
        /// Named constraints besides the primary key, ordered by name.
        package let rules: [Rule]
        /// The roles that can read it: `reader`, `guest`.
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
        /// The error message with its field; nil if there is none.
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

    /// Reads the description from the database; `roles` are those of the deployment.
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
                coalesce((select array_agg(a.attname::text order by k.position)
                    from pg_index i cross join unnest(i.indkey) with ordinality k (number, position)
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

    /// The generated part of docs/reference/read-tables.md.
    package var markdown: String { tables.map(Self.markdown).joined() }

    private static func markdown(_ table: Table) -> String {
        var text = "\n### `\(table.name)`\n\n\(table.about)\n\n"
        text += "Key: \(table.key.map { "`\($0)`" }.joined(separator: ", ")). "
        text += table.readers.contains("guest") ? "Readable by guests.\n\n" : "Not readable by guests.\n\n"
        text += "| column | type | |\n|---|---|---|\n"
        for column in table.columns {
            text +=
                "| `\(column.name)` | `\(column.type)`\(column.isNullable ? ", nullable" : "") | \(column.about) |\n"
        }
        if table.rules.isEmpty { return text }
        text += "\n| constraint | error message |\n|---|---|\n"
        for rule in table.rules {
            let definition = rule.definition.replacing("|", with: "\\|")
            text += "| `\(rule.name)`: `\(definition)` | \(rule.sentence ?? "the name of the constraint") |\n"
        }
        return text
    }
}

extension Failure {
    /// The message with its field.
    fileprivate var described: String {
        guard case .invalid(let errors) = self, let item = errors.items.first else { return sentence }
        return "at `\(item.pointer)`: \(item.message)"
    }
}
