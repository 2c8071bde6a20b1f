// Reads and writes submission forms.
import Domain
import FoundationEssentials
import Postgres

package struct FormRow: Sendable {
    package let id: ID<SubmissionForm>
    package let definition: FormDefinition
    package let createdAt: Date

    init(row: Row) throws {
        id = try row("id")
        createdAt = try row("created_at")
        var definition = FormDefinition(name: try row("name"), type: try row("type"), title: try row("title"))
        definition.introduction = try row("introduction")
        definition.locale = try row("locale")
        definition.fields = try row("fields")
        definition.category = try row("category")
        definition.feed = try row("feed_id")
        definition.origins = try row("origins")
        definition.allowsAnonymous = try row("allows_anonymous")
        definition.requiresEmail = try row("requires_email")
        definition.isOn = try row("is_on")
        self.definition = definition
    }
}

/// A form with its use.
package struct FormLine: Sendable {
    package let form: FormRow
    package let receivedAt: Date?
}

package struct SubmissionFormStore: Sendable {
    let connection: StoreConnection

    private static let columns: SQL = """
        f.id, f.name, f.type, f.title, f.introduction, f.locale, f.fields, f.category, f.feed_id, f.origins, f.allows_anonymous,
        f.requires_email, f.is_on, f.created_at
        """

    /// The form with this name, on or off.
    package func find(_ name: String) async throws -> FormRow? {
        try await connection.first(
            "select \(Self.columns) from curation.submission_form f where f.name = \(name)", FormRow.init)
    }

    /// By name, with the time of the newest submission that waits for review.
    package func list() async throws -> [FormLine] {
        try await connection.rows(
            """
            select \(Self.columns), (
                select max(q.received_at) from curation.queue_item q where q.client_id = f.id) as received_at
            from curation.submission_form f order by f.name limit 1000
            """
        ) { FormLine(form: try FormRow(row: $0), receivedAt: try $0("received_at")) }
    }

    // MARK: Changes

    package func add(_ id: ID<SubmissionForm>, _ form: FormDefinition) async throws {
        try await connection.run("insert into ops.actor (id, kind, name) values (\(id), 'form', \(form.title))")
        try await connection.run(
            """
            insert into curation.submission_form (id, name, type, title, introduction, locale, fields, category, feed_id, origins,
                allows_anonymous, requires_email, is_on)
            values (\(id), \(form.name), \(form.type), \(form.title), \(form.introduction), \(form.locale),
                \(form.fields)::text[], \(form.category), \(form.feed), \(form.origins)::text[], \(form.allowsAnonymous),
                \(form.requiresEmail), \(form.isOn))
            """)
    }

    /// Everything but the name and the type, which never change.
    package func update(_ id: ID<SubmissionForm>, _ form: FormDefinition) async throws {
        try await connection.run("update ops.actor set name = \(form.title) where id = \(id)")
        try await connection.run(
            """
            update curation.submission_form set title = \(form.title), introduction = \(form.introduction),
                locale = \(form.locale), fields = \(form.fields)::text[], category = \(form.category), feed_id = \(form.feed),
                origins = \(form.origins)::text[], allows_anonymous = \(form.allowsAnonymous),
                requires_email = \(form.requiresEmail), is_on = \(form.isOn)
            where id = \(id)
            """)
    }

    /// What it received stays, and so does its row in `ops.actor`.
    package func remove(_ id: ID<SubmissionForm>) async throws {
        try await connection.run("delete from curation.submission_form where id = \(id)")
    }
}
