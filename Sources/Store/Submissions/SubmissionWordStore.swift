// The words and domains of submissions by which the team finds them. Screening writes them.
import Domain
import FoundationEssentials
import Postgres

/// What a search finds in a submission, beside its title and contributor.
package struct SubmissionWords: Sendable {
    package let id: UUID
    package let text: String
    package let domains: [String]

    package init(id: UUID, text: String, domains: [String]) { (self.id, self.text, self.domains) = (id, text, domains) }
}

package struct SubmissionWordStore: Sendable {
    let connection: StoreConnection

    /// Locks submissions whose text was not read yet, as when they were decided before they were screened.
    package func incomplete(limit: Int) async throws -> [SubjectRow] {
        try await connection.rows(
            """
            with due as materialized (
                select submission_id from curation.submission_search where not is_complete
                order by submission_id limit \(fixed: limit) for update skip locked)
            select s.id, false as is_entry, s.type, coalesce(v.fields, s.fields) as fields, s.source_url, s.client_id,
                \(SubjectRow.contributor), null as hour
            from due d join curation.submission s on s.id = d.submission_id
            \(SubmissionStore.latestVersion("fields"))
            order by s.id
            """, SubjectRow.init)
    }

    /// Those of pending ones twice, so that the queue is searched without the decided ones.
    package func save(_ all: [SubmissionWords]) async throws {
        if all.isEmpty { return }
        try await connection.run(
            """
            with found as materialized (
                select s.id, string_to_array(i.domains, ' ') as domains,
                    curation.submission_terms(coalesce(v.title, s.title), s.contributor, i.text) as terms
                from unnest(\(all.map(\.id))::uuid[], \(all.map(\.text))::text[],
                    \(all.map { $0.domains.joined(separator: " ") })::text[]) i (id, text, domains)
                join curation.submission s on s.id = i.id
                \(SubmissionStore.latestVersion("title"))
                where s.erased_at is null),
            queued as materialized (
                select f.* from found f join curation.queue_item q on q.submission_id = f.id for key share of q),
            pending as (
                insert into curation.queue_search (submission_id, terms, domains) select id, terms, domains from queued
                on conflict (submission_id) do update set terms = excluded.terms, domains = excluded.domains)
            insert into curation.submission_search (submission_id, terms, domains, is_complete)
            select id, terms, domains, true from found order by id
            on conflict (submission_id) do update set terms = excluded.terms, domains = excluded.domains, is_complete = true
            """)
    }

    // MARK: Conditions

    /// A search for words finds at most this many pending submissions by their texts; a further word finds the others.
    private static let maxQueued = 10_000
    /// Decided submissions of a search are looked up, if they are so many at most.
    static let maxDecided = 10_000

    /// Pending submissions with these words anywhere.
    static func queued(words: String) -> SQL {
        """
        select x.submission_id from curation.queue_search x
        where x.terms @@ (select api_v1.parse_query(\(words))) limit \(fixed: maxQueued)
        """
    }

    /// Pending submissions with links to a domain.
    static func queued(domain: String) -> SQL {
        "select x.submission_id from curation.queue_search x where x.domains @> array[\(domain)]"
    }

    /// A condition on a row `x` of `curation.submission_search`; nil without words and a domain.
    static func matches(words: String?, domain: String?) -> SQL? {
        if words == nil && domain == nil { return nil }
        var condition: SQL = "true"
        if let words { condition += " and x.terms @@ (select api_v1.parse_query(\(words)))" }
        if let domain { condition += " and x.domains @> array[\(domain)]" }
        return condition
    }

    /// Submissions of contributors with this name, or beginnings of its words, or this email address.
    static func sent(by name: String) -> SQL {
        """
        select s.id from curation.contributor c
        join curation.submission s on s.client_id = c.client_id and s.contributor = c.name
        where \(ReputationStore.isKnown(as: name))
        """
    }
}
