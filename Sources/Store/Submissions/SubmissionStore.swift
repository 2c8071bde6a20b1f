// Submissions in their latest version: their rows never change, resubmissions are separate versions.
import Domain
import FoundationEssentials
import Postgres

package struct SubmissionRow: Sendable {
    package let id: ID<Submission>
    package let type: String
    package let client: ID<APIClient>
    package let clientName: String
    package let contributor: String?
    package let title: String
    package let requestedCategory: String?
    package let stored: StoredFields
    /// Null if it can't be read.
    package let received: JSONValue
    package let source: String
    /// What the source is called: by its document, or else the name of the client.
    package let sourceName: String
    package let sourceURL: String?
    package let receivedAt: Date
    /// To the microsecond, as in the queue's cursors.
    package let receivedAtText: String
    package let state: SubmissionState
    /// How many decisions were made so far; forms submit it to detect stale edits.
    package let version: Int
    package let entry: ID<Entry>?

    package var fields: [String: JSONValue] { stored.values }

    init(row: Row) throws {
        id = try row("id")
        type = try row("type")
        client = try row("client_id")
        clientName = try row("client_name")
        contributor = try row("contributor")
        title = try row("title")
        requestedCategory = try row("requested_category")
        stored = try row("fields")
        received = (try? row("received") as JSONValue) ?? .null
        source = try row("source")
        sourceName = try row("source_name")
        sourceURL = try row("source_url")
        receivedAt = try row("received_at")
        receivedAtText = try row("received_at_text")
        state = try row("state")
        version = try row("version")
        entry = try row("entry_id")
    }
}

package struct SubmissionStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
            select s.id, s.type, s.client_id, a.name as client_name, s.contributor, coalesce(v.title, s.title) as title,
                s.requested_category, coalesce(v.fields, s.fields) as fields, coalesce(v.received, s.received) as received, s.source,
                coalesce(s.source_name, a.name) as source_name, s.source_url, s.received_at,
                s.received_at::text as received_at_text, curation.submission_state(s.id) as state,
                (select coalesce(max(number), 0) from curation.decision d where d.submission_id = s.id) as version,
                (select e.id from curation.entry e where e.submission_id = s.id) as entry_id
            from curation.submission s join ops.actor a on a.id = s.client_id
            \(Self.latestVersion("*"))
        """

    /// Joins a column of the latest version `v` of a submission `s`, which has none until it is resubmitted.
    static func latestVersion(_ column: SQL) -> SQL {
        """
        left join lateral (
            select \(column) from curation.submission_version v where v.submission_id = s.id order by v.number desc limit 1) v on true
        """
    }

    package func find(_ id: ID<Submission>) async throws -> SubmissionRow? {
        try await connection.first("\(Self.lines) where s.id = \(id)", SubmissionRow.init)
    }

    /// The existing ones among these, in the order of their ids.
    package func find(_ ids: [ID<Submission>]) async throws -> [SubmissionRow] {
        try await connection.rows(
            "\(Self.lines) where s.id = any(\(ids)::uuid[]) order by s.id", SubmissionRow.init)
    }

    /// The categories in the fields of these submissions; omits submissions without any.
    package func categories(namedBy ids: [ID<Submission>]) async throws -> [ID<Submission>: [ID<Entry>]] {
        let rows = try await connection.rows(
            """
            select f.id, c.value from (\(Self.lines) where s.id = any(\(ids)::uuid[])) f
            cross join lateral jsonb_array_elements_text(
                case when jsonb_typeof(f.fields -> 'categories') = 'array' then f.fields -> 'categories' end) c
            """
        ) { (submission: try $0("id") as ID<Submission>, category: ID<Entry>(try $0("value") as String)) }
        return Dictionary(grouping: rows, by: \.submission).mapValues { $0.compactMap(\.category) }
    }
}
