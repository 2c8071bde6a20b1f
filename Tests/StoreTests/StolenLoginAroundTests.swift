// What a stolen login may write around the checks: through types of its session, roles that it only claims, rows that are
// derived from others, and checks that it moves forward.
import Domain
import FoundationEssentials
import Platform
import Store

extension StolenLoginTests {
    static func around(_ world: World) -> [Forgery] {
        shadowed(world) + derived(world) + early(world) + scheduling(world) + [
            Forgery(
                "an approval in the stage of another role", world.record(world.curator),
                """
                insert into curation.submission_approval (submission_id, stage_id, version, approved_by, role)
                select '\(world.submission)', id, 0, '\(world.curator.rowID)', 'administrator' from curation.review_stage
                """),
            Forgery(
                "an approval of another stage", world.record(world.curator),
                "update curation.submission_approval set stage_id = curation.uuid_v7()"),
            Forgery(
                "a withdrawn approval of somebody else", world.record(world.curator),
                "update curation.submission_approval set undone_at = now()"),
            Forgery(
                "what awaits publication", world.record(SystemActor.visitor),
                "select curation.restore_ready(curation.uuid_v7(), '{}')"),
        ]
    }

    /// A type that takes the place of `uuid`, and whose every value becomes the curator.
    private static func shadowed(_ world: World) -> [Forgery] {
        let curator = "'\(world.curator.rowID)'::pg_catalog.uuid"
        return [
            Forgery(
                "a note of somebody else, by a type of the session",
                world.record(world.curator), "create type pg_temp.uuid as (id pg_catalog.uuid)",
                "create function pg_temp.shadow(text) returns pg_temp.uuid language sql as $$ select row(\(curator))::pg_temp.uuid $$",
                "create function pg_temp.show(pg_temp.uuid) returns pg_catalog.uuid language sql as $$ select \(curator) $$",
                "create cast (text as pg_temp.uuid) with function pg_temp.shadow(text)",
                "create cast (pg_temp.uuid as pg_catalog.uuid) with function pg_temp.show(pg_temp.uuid) as implicit",
                """
                insert into curation.note (submission_id, text, author_id)
                values ('\(world.submission)', 'x', '\(world.administrator)')
                """)
        ]
    }

    /// Additions to what was approved and published, without any event.
    private static func derived(_ world: World) -> [Forgery] {
        let image = UUIDv7.make()
        return [
            Forgery(
                "a reference of a published revision",
                """
                insert into curation.reference (revision_id, field, position, target_entry_id)
                select revision_id, 'feeds', 99, '\(SeedEntry.topicGroup)' from curation.live where entry_id = '\(world.live)'
                """),
            Forgery(
                "an image of a published revision",
                "insert into ops.external_image (url) values ('https://thief.example/a.png')",
                """
                insert into curation.media_use (revision_id, pointer, external_id)
                select l.revision_id, '/fields/image', x.id from curation.live l, ops.external_image x
                where l.entry_id = '\(world.live)'
                """),
            Forgery(
                "an image that the program will show in place of one of another server", world.record(world.curator),
                """
                insert into ops.media (id, version_id, upload_sha256, name, type, uploaded_by)
                values ('\(image)', '\(image)', sha256('x'), 'a.png', 'image/png', '\(world.curator.rowID)')
                """,
                """
                insert into ops.external_image (url, state, media_id, is_due)
                values ('https://thief.example/b.png', 'stored', '\(image)', true)
                """),
            Forgery(
                "the URL of another image, which would replace one in published content",
                "insert into ops.external_image (url) values ('https://a.example/a.png')",
                "update ops.external_image set url = 'https://thief.example/a.png'"),
            Forgery(
                "a file of somebody else's image", world.record(SystemActor.visitor),
                """
                insert into ops.media_file (media_id, version_id, width, height, bytes, sha256, path)
                select media_id, version_id, 2, 2, 1, repeat('1', 64), '11/' || repeat('1', 62) || '.png' from ops.media_file
                """),
            Forgery(
                "a version of somebody else's image", world.record(SystemActor.visitor),
                """
                insert into ops.media_version (media_id, number, upload_sha256, type, source, created_by)
                select id, 2, sha256('y'), type, '11/' || repeat('1', 62) || '.png', '\(SystemActor.visitor)' from ops.media
                """),
            Forgery(
                "a published slug",
                """
                insert into curation.slug (kind, slug, entry_id, published_in)
                values ('item', 'thief', '\(world.live)', 1)
                """),
        ]
    }

    /// An editor composes releases; when they are published, a publisher decides.
    private static func scheduling(_ world: World) -> [Forgery] {
        let editor = world.record(world.grouped)
        let release = UUIDv7.make()
        let composed =
            "insert into curation.release (id, title, created_by) values ('\(release)', 'x', '\(world.grouped.rowID)')"
        let scheduled = """
            insert into curation.release (title, created_by, state, local_time, zone, due_at)
            values ('x', '\(world.grouped.rowID)', 'scheduled', '2040-01-01', 'UTC', '2040-01-01')
            """
        return [
            Forgery("a release scheduled by an editor", editor, scheduled),
            Forgery(
                "a release scheduled by an editor later", editor, composed,
                """
                update curation.release set state = 'scheduled', local_time = '2020-01-01', zone = 'UTC', due_at = '2020-01-01'
                where id = '\(release)'
                """),
            Forgery(
                "a release published by an editor", editor, composed,
                "update curation.release set state = 'published', finished_at = now() where id = '\(release)'"),
        ]
    }

    /// Categories that follow after the checks which need them.
    private static func early(_ world: World) -> [Forgery] {
        let (entry, revision) = (UUIDv7.make(), UUIDv7.make())
        let immediate = "set constraints all immediate"
        func content(by author: UUID, of submission: String, in category: UUID, after step: String) -> [String] {
            [
                """
                insert into curation.entry (id, type, kind, created_by, submission_id)
                values ('\(entry)', 'article', 'item', '\(author)', \(submission))
                """,
                """
                insert into curation.revision (id, entry_id, number, content, preview, content_hash, author_id)
                values ('\(revision)', '\(entry)', 1, '{}', '{}', sha256('x'), '\(author)')
                """,
                step,
                """
                insert into curation.reference (revision_id, field, position, target_entry_id)
                values ('\(revision)', 'categories', 1, '\(category)')
                """,
            ]
        }
        let approval = """
            insert into curation.decision (submission_id, number, verdict, decided_by)
            values ('\(world.submission)', 1, 'approve', '\(world.curator.rowID)')
            """
        return [
            Forgery(
                "an approval before the stages of its category",
                [world.record(world.curator), approval]
                    + content(
                        by: SystemActor.contributor, of: "'\(world.submission)'", in: SeedEntry.unsorted.uuid,
                        after: immediate)),
            Forgery(
                "an entry that gets its group after the check of the access scope",
                [world.record(world.grouped)]
                    + content(
                        by: world.grouped.rowID, of: "null", in: SeedEntry.topicGroup.uuid, after: immediate)),
            Forgery(
                "a revision beyond the next one, which would hide the group of the newest",
                world.record(world.grouped),
                """
                insert into curation.revision (entry_id, number, content, preview, content_hash, author_id)
                values ('\(SeedEntry.unsorted.uuid)', 7, '{}', '{}', sha256('x'), '\(world.grouped.rowID)')
                """),
            Forgery(
                "a category that follows the approval of its revision",
                [world.record(world.grouped)]
                    + content(
                        by: world.grouped.rowID, of: "null", in: SeedEntry.unsorted.uuid,
                        after:
                            "insert into curation.approval (revision_id, actor_id) values ('\(revision)', '\(world.grouped.rowID)')"
                    )),
        ]
    }
}
