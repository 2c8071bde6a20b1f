// The results of checking stream URLs.
import Domain
import FoundationEssentials
import Postgres

package struct PlaylistCheckRow: Sendable {
    package let streamURL: String
    /// The playlist text was pasted; otherwise it was fetched.
    package let isPasted: Bool
    package let finding: PlaylistFinding
    package let checkedBy: String
    package let checkedAt: Date

    init(row: Row) throws {
        streamURL = try row("stream_url")
        isPasted = try row("source") == "pasted"
        let (parts, detail): (Int?, String?) = (try row("parts"), try row("detail"))
        switch try row("outcome") as String {
        case "master": finding = .master(parts ?? 0)
        case "media": finding = .media(parts ?? 0)
        case "malformed": finding = .malformed(detail ?? "")
        default: finding = .unreachable(detail ?? "")
        }
        checkedBy = try row("checked_by_name")
        checkedAt = try row("checked_at")
    }
}

package struct PlaylistStore: Sendable {
    let connection: StoreConnection

    /// The newest check of a stream URL.
    package func newest(of url: String) async throws -> PlaylistCheckRow? {
        try await connection.first(
            """
            select c.*, a.name as checked_by_name
            from curation.playlist_check c join ops.actor a on a.id = c.checked_by
            where c.stream_url = \(url) order by c.id desc limit 1
            """, PlaylistCheckRow.init)
    }

    /// The IDs of entries whose newest revision has a stream URL that the newest check found broken.
    static let broken: SQL = """
        select r.entry_id from (
            select c.stream_url from curation.playlist_check c
            where c.outcome in ('malformed', 'unreachable') and not exists (
                select from curation.playlist_check d where d.stream_url = c.stream_url and d.id > c.id)
            limit 1000) c
        join curation.revision r on r.content ? 'hls_url' and r.content ->> 'hls_url' = c.stream_url
        where not exists (
            select from curation.revision s where s.entry_id = r.entry_id and s.number > r.number)
        """

    /// Videos whose newest revision has a stream URL without a conclusive check, oldest first.
    package func unchecked(limit: Int) async throws -> [ID<Entry>] {
        try await connection.rows(
            """
            select e.id
            from curation.entry e
            cross join lateral (
                select r.content ->> 'hls_url' as stream_url from curation.revision r
                where r.entry_id = e.id order by r.number desc limit 1) n
            where e.type = 'video' and n.stream_url is not null and not exists (
                select from curation.playlist_check c where c.stream_url = n.stream_url and c.outcome <> 'unreachable')
            order by e.id limit \(limit)
            """
        ) { try $0("id") }
    }

    // MARK: Changes

    package func record(
        _ finding: PlaylistFinding, of url: String, isPasted: Bool, by actor: Actor
    ) async throws {
        var (outcome, parts, detail): (String, Int?, String?) = ("", nil, nil)
        switch finding {
        case .master(let variants): (outcome, parts) = ("master", variants)
        case .media(let segments): (outcome, parts) = ("media", segments)
        case .malformed(let reason): (outcome, detail) = ("malformed", reason)
        case .unreachable(let reason): (outcome, detail) = ("unreachable", reason)
        }
        try await connection.run(
            """
            insert into curation.playlist_check (stream_url, source, outcome, parts, detail, checked_by)
            values (\(url), \(isPasted ? "pasted" : "fetched"), \(outcome), \(parts), \(detail), \(actor.rowID))
            """)
    }
}
