// Removes a dependency rule between publications and a read table, to test that the comparison detects it.
import Postgres

extension TestDatabase {
    /// Removes the rule by which a publication with this cause (nil: any) affects the projection
    /// (projection.X_by_CAUSE). Throws when there is no such rule.
    package func forget(_ projection: String, cause: String? = nil) async throws {
        let owner = try await superuser()
        let rules = try await owner.query(
            """
            select p.proname as name, pg_get_function_result(p.oid) as columns,
                (select string_agg('null::' || format_type(a.atttypid, a.atttypmod), ', ' order by k.i)
                 from unnest(r.key) with ordinality k (name, i)
                 join pg_attribute a on a.attrelid = format('api_v1.%I', r.name)::regclass and a.attname = k.name) as nothing
            from (select * from projection.read_table where projection = \(projection) limit 1) r
            cross join unnest(r.causes) c
            join pg_proc p on p.pronamespace = 'projection'::regnamespace and p.proname = r.projection || '_by_' || c
            where \(cause)::text is null or c = \(cause)
            """)
        guard !rules.isEmpty else { throw NoSuchRule(projection: projection, cause: cause) }
        for rule in rules {
            _ = try await owner.query(
                """
                create or replace function projection.\(raw: try rule("name"))(p_publication bigint) returns \(raw: try rule("columns"))
                language sql stable as 'select \(raw: try rule("nothing")) where false'
                """)
        }
        await owner.close()
    }

    private struct NoSuchRule: Error {
        let projection: String
        let cause: String?
    }
}
