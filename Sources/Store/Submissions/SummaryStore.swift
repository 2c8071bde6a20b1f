// What lists show about submissions beside their titles: who sent them, how they begin, whether they have an image.
import Domain
import Postgres

package struct SubmissionSummary: Sendable {
    package let contributor: String?
    /// The beginning of the first text, as markup where its field has markup; nil without one.
    package let beginning: String?
    /// Whether a field names an image of another server, which lists don't load.
    package let hasForeignImage: Bool

    init(row: Row) throws {
        contributor = try row("contributor")
        beginning = try row("beginning")
        hasForeignImage = try row("has_foreign_image")
    }
}

package struct SummaryStore: Sendable {
    let connection: StoreConnection

    /// Characters of markup that are read for an excerpt.
    static let length = 600

    /// `fields`: for each content type the names of the fields to begin with, in order of preference. `images`: those of
    /// its images.
    package func of(
        _ submissions: [ID<Submission>], fields: [String: [String]], images: [String: [String]]
    ) async throws -> [ID<Submission>: SubmissionSummary] {
        if submissions.isEmpty { return [:] }
        func names(_ fields: [String: [String]]) -> String {
            JSONValue.object(fields.mapValues { .array($0.map(JSONValue.string)) }).canonicalText
        }
        let rows = try await connection.rows(
            """
            select s.id, s.contributor, (
                select left(coalesce(v.fields, s.fields) ->> f.name, \(fixed: Self.length))
                from jsonb_array_elements_text(\(names(fields))::jsonb -> s.type) with ordinality f (name, number)
                where coalesce(v.fields, s.fields) ->> f.name <> '' order by f.number limit 1) as beginning,
                exists (
                    select from jsonb_array_elements_text(\(names(images))::jsonb -> s.type) i (name)
                    where coalesce(v.fields, s.fields) -> i.name ->> 'url' <> '') as has_foreign_image
            from curation.submission s
            left join lateral (
                select t.fields from curation.submission_version t where t.submission_id = s.id
                order by t.number desc limit 1) v on true
            where s.id = any(\(submissions)::uuid[])
            """
        ) { (try $0("id") as ID<Submission>, try SubmissionSummary(row: $0)) }
        return Dictionary(rows) { first, _ in first }
    }
}
