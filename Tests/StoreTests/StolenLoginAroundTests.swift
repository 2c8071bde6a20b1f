// What a stolen login may write around the checks: through types of its session, roles that it only claims, and rows that
// are derived from others.
import Store

extension StolenLoginTests {
    /// A type that takes the place of `uuid`, and whose every value becomes the curator.
    private static func shadow(_ world: World) -> [String] {
        let curator = "'\(world.curator.rowID)'::pg_catalog.uuid"
        return [
            "create type pg_temp.uuid as (id pg_catalog.uuid)",
            "create function pg_temp.shadow(text) returns pg_temp.uuid language sql as $$ select row(\(curator))::pg_temp.uuid $$",
            "create function pg_temp.show(pg_temp.uuid) returns pg_catalog.uuid language sql as $$ select \(curator) $$",
            "create cast (text as pg_temp.uuid) with function pg_temp.shadow(text)",
            "create cast (pg_temp.uuid as pg_catalog.uuid) with function pg_temp.show(pg_temp.uuid) as implicit",
        ]
    }

    static func around(_ world: World) -> [Forgery] {
        let (admin, curator) = (world.administrator, world.record(world.curator))
        return [
            Forgery(
                "a note of somebody else, by a type of the session",
                [curator] + shadow(world) + [
                    "insert into curation.note (submission_id, text, author_id) values ('\(world.submission)', 'x', '\(admin)')"
                ])
        ]
    }
}
