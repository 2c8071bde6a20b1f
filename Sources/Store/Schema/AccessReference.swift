// Describes in Markdown who may change which tables, from the rules that are installed in the database.
import Domain
import Postgres

package enum AccessReference {
    /// The generated part of docs/reference/permissions.md.
    package static func read(_ database: Database) async throws -> String {
        let roles = try await database.connection.rows(
            """
            select format('| %s | `%s` |', label, array_to_string(permissions, '`, `')) as line
            from ops.role where is_preset order by cardinality(permissions)
            """
        ) { "\(try $0("line") as String)\n" }
        // The arguments of the trigger: permissions, rule, key and author.
        let tables = try await database.connection.rows(
            """
            select format('| `%s` | %s | %s | %s |', t.tgrelid::regclass,
                case a.words[1] when '' then '' else '`' || replace(a.words[1], ',', '`, `') || '`' end, a.words[2],
                case when a.words[4] <> '' then '`' || a.words[4] || '`' end) as line
            from pg_trigger t
            cross join lateral (select regexp_split_to_array(encode(t.tgargs, 'escape'), '\\\\000') as words) a
            where t.tgname = 'audited' order by t.tgrelid::regclass::text collate "C"
            """
        ) { "\(try $0("line") as String)\n" }
        return "\n| role | permissions |\n|---|---|\n" + roles.joined()
            + "\n## The tables\n\n| table | permissions | rule | author |\n|---|---|---|---|\n" + tables.joined()
    }
}
