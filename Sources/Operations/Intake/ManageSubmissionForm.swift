// Creates, changes and deletes submission forms.
import Domain
import Localization
import Platform
import Store

package struct ManageSubmissionForm: Sendable {
    let database: Database
    let rules: ContentRules

    /// A new form is off unless the definition turns it on.
    package func create(_ form: FormDefinition, by actor: Actor) async throws -> FormDefinition {
        try actor.require(.administer, tr("manage submission forms"))
        let form = try await checked(form)
        let id = ID<SubmissionForm>(UUIDv7.make())
        let event = AuditEvent(
            "submission_form.create", on: "submission_form", form.name, detail: ["after": Self.json(form)])
        try await database.transaction(by: actor, event) { try await $0.submissionForms.add(id, form) }
        return form
    }

    /// Takes over everything but the name and the type of `form`. It applies to the next page that is opened.
    package func update(_ name: String, _ form: FormDefinition, by actor: Actor) async throws -> FormDefinition {
        try actor.require(.administer, tr("manage submission forms"))
        let before = try await find(name)
        var form = form
        (form.name, form.type) = (before.definition.name, before.definition.type)
        let after = try await checked(form)
        let event = AuditEvent(
            "submission_form.update", on: "submission_form", name,
            detail: ["before": Self.json(before.definition), "after": Self.json(after)])
        try await database.transaction(by: actor, event) { try await $0.submissionForms.update(before.id, after) }
        return after
    }

    package func delete(_ name: String, by actor: Actor) async throws {
        try actor.require(.administer, tr("manage submission forms"))
        let form = try await find(name)
        let event = AuditEvent(
            "submission_form.delete", on: "submission_form", name, detail: ["before": Self.json(form.definition)])
        try await database.transaction(by: actor, event) { try await $0.submissionForms.remove(form.id) }
    }

    private func find(_ name: String) async throws -> FormRow {
        try await database.submissionForms.find(name).orMissing("submission form")
    }

    private func checked(_ form: FormDefinition) async throws -> FormDefinition {
        let checked = try form.checked(as: try rules.type(named: form.type))
        if let feed = checked.feed, try await database.entries.find(feed)?.kind != .feed {
            throw Failure.invalid(FieldErrors("/feed", "reference", tr("No feed has this ID.")))
        }
        return checked
    }

    private static func json(_ form: FormDefinition) -> JSONValue {
        .object([
            "type": .string(form.type), "title": .string(form.title), "introduction": .string(form.introduction),
            "locale": .string(form.locale),
            "fields": form.fields.map { .array($0.map(JSONValue.string)) } ?? .null,
            "category": form.category.map(JSONValue.string) ?? .null,
            "feed": form.feed.map { .string($0.description) } ?? .null,
            "origins": .array(form.origins.map(JSONValue.string)), "allows_anonymous": .bool(form.allowsAnonymous),
            "requires_email": .bool(form.requiresEmail), "on": .bool(form.isOn),
        ])
    }
}
