// Creates, edits, restores, approves, publishes and unpublishes entries of any content type.
import Domain
import Localization
import Store

package struct WriteEntry: Sendable {
    let database: Database
    let rules: ContentRules

    /// Creates an entry; without `publishTiming` it stays a draft.
    package func create(
        type name: String, fields: [String: JSONValue], note: String = "",
        publishTiming: PublishTiming = .draft, by actor: Actor
    ) async throws -> ChangeOutcome {
        let (draft, warnings) = try await newDraft(type: name, fields: fields, note: note, by: actor)
        let event = AuditEvent("entry.create", on: "entry", detail: ["type": .string(name)])
        var outcome = try await write(draft, event, publishTiming, by: actor)
        outcome.warnings = warnings
        return outcome
    }

    /// The checked draft of a new entry; `stored` is what it replaces if the caller makes it one of an existing entry.
    package func newDraft(
        type name: String, fields: [String: JSONValue], note: String = "", keeping stored: [String: JSONValue] = [:],
        by actor: Actor
    ) async throws -> (draft: EntryDraft, warnings: FieldErrors) {
        try actor.require(.suggest, tr("create entries"))
        let type = try rules.type(named: name)
        let checked = try await rules.checked(fields, as: type, for: .revision, keeping: stored)
        if type.needsCategory, checked.content.fields["categories"] == nil {
            throw Failure.invalid(
                FieldErrors("/fields/categories", "required", tr("Choose at least one category.")))
        }
        return (
            EntryDraft(type: type, content: checked.content, texts: checked.texts, note: note), checked.warnings
        )
    }

    /// Writes drafts of one type from a source in one transaction, and publishes what is approved in one publication.
    package func importAll(
        _ drafts: [EntryDraft], from source: String, publishTiming: PublishTiming, by actor: Actor
    ) async throws -> [ChangeOutcome] {
        guard let type = drafts.first?.type.name else { return [] }
        try await publishTiming.check(by: actor, database)
        let event = AuditEvent(
            "entry.import", on: "entry",
            detail: ["type": .string(type), "source": .string(source), "rows": .int(Int64(drafts.count))])
        return try await database.transaction(by: actor, event) { transaction in
            // New entries keep nobody waiting while they are written.
            if drafts.contains(where: { $0.entry != nil }) { try await transaction.lock(for: publishTiming) }
            var (outcomes, live): ([ChangeOutcome], [LiveChange]) = ([], [])
            for draft in drafts {
                let written = try await transaction.write(draft)
                let isApproved = publishTiming == .draft ? false : try await transaction.approve(written.revision)
                if isApproved { live.append(written.change) }
                outcomes.append(
                    ChangeOutcome(entry: written.entry, revision: written.number, isApproved: isApproved))
            }
            _ = try await transaction.publish(live, publishTiming, title: "Import of \(source)")
            return outcomes
        }
    }

    /// Writes a new revision on top of revision `base`; a newer revision is a conflict. It keeps the values of undeclared
    /// fields of `stored`, the newest revision unless it is given (`ContentType.check`).
    package func edit(
        _ id: ID<Entry>, fields: [String: JSONValue], base: Int, note: String = "",
        publishTiming: PublishTiming = .draft, keeping stored: [String: JSONValue]? = nil,
        by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.suggest, tr("edit entries"))
        guard let entry = try await database.entries.find(id), let newest = try await database.revisions.newest(of: id)
        else { throw Failure.missing("entry") }
        guard newest.number == base else {
            throw Failure.conflict(
                code: "stale",
                message: tr(
                    "\(newest.author) saved version \(newest.number) meanwhile. Reload the entry and try again."))
        }
        let type = try rules.type(named: entry.type)
        var fields = fields
        if let slug = type.slugField, fields[slug]?.stringValue?.isEmpty ?? true {
            fields[slug] = newest.content.fields[slug]
        }
        let checked = try await rules.checked(
            fields, as: type, for: .revision, keeping: stored ?? newest.content.fields)
        let content = try await database.media.completing(checked.content, of: type)
        if content == newest.content, publishTiming == .draft {
            throw Failure.refused(code: "unchanged", message: tr("Nothing changed, so no version was saved."))
        }
        let event = AuditEvent("entry.update", on: "entry", id.description, detail: ["base": .int(Int64(base))])
        if content == newest.content { return try await send(newest, event, publishTiming, by: actor) }
        let draft = EntryDraft(
            entry: id, type: type, content: content, texts: checked.texts, base: base, note: note)
        var outcome = try await write(draft, event, publishTiming, by: actor)
        outcome.warnings = checked.warnings
        return outcome
    }

    /// Writes the content of revision `number` as the newest revision, on top of revision `base`.
    package func restore(
        _ id: ID<Entry>, number: Int, base: Int, publishTiming: PublishTiming = .draft, by actor: Actor
    ) async throws -> ChangeOutcome {
        guard let old = try await database.revisions.find(id, number: number) else { throw Failure.missing("version") }
        let fields = try old.stored.readable()
        return try await edit(
            id, fields: fields, base: base, note: "Version \(number) restored", publishTiming: publishTiming,
            keeping: fields, by: actor)
    }

    /// Records the actor's approval of the newest revision, which must be `number`. With enough approvals the revision
    /// is approved.
    package func approve(_ id: ID<Entry>, number: Int, publishTiming: PublishTiming = .approveOnly, by actor: Actor)
        async throws
        -> ChangeOutcome
    {
        guard let newest = try await database.revisions.newest(of: id) else { throw Failure.missing("entry") }
        guard newest.number == number else {
            throw Failure.conflict(
                code: "stale",
                message: tr("\(newest.author) saved version \(newest.number) meanwhile. Review it first."))
        }
        let event = AuditEvent("entry.approve", on: "entry", id.description, detail: ["revision": .int(Int64(number))])
        return try await send(newest, event, publishTiming, by: actor)
    }

    /// Publishes revision `number` now or at a time. It must be the newest approved one; a newer draft may exist.
    package func publish(_ id: ID<Entry>, number: Int, publishTiming: PublishTiming, by actor: Actor) async throws
        -> ChangeOutcome
    {
        try actor.require(.publish, "publish")
        try await publishTiming.checkTime(database)
        guard let entry = try await database.entries.find(id),
            let revision = try await database.revisions.find(id, number: number)
        else { throw Failure.missing("version") }
        guard entry.approved == number else {
            throw Failure.conflict(
                code: "stale",
                message: tr("Version \(number) is not the newest approved version. Reload the entry and try again."))
        }
        _ = try revision.stored.readable()
        let event = AuditEvent("entry.publish", on: "entry", id.description, detail: ["revision": .int(Int64(number))])
        return try await database.transaction(by: actor, event) { transaction in
            let published = try await transaction.publish(
                [revision.written.change], publishTiming, title: entry.title)
            return ChangeOutcome(entry: id, revision: number, isApproved: true, published)
        }
    }

    /// Unpublishes an entry now or at a time.
    package func unpublish(_ id: ID<Entry>, publishTiming: PublishTiming = .now, by actor: Actor) async throws
        -> ChangeOutcome
    {
        try actor.require(.publish, tr("unpublish entries"))
        try await publishTiming.checkTime(database)
        guard let entry = try await database.entries.find(id) else { throw Failure.missing("entry") }
        guard entry.live != nil else {
            throw Failure.conflict(
                code: "not_live", message: tr("This entry is not published."))
        }
        let event = AuditEvent("entry.unpublish", on: "entry", id.description)
        return try await database.transaction(by: actor, event) { transaction in
            let published = try await transaction.publish(
                [LiveChange(entry: id, revision: nil)], publishTiming, title: "Unpublish: \(entry.title)")
            return ChangeOutcome(entry: id, revision: entry.newest, isApproved: true, published)
        }
    }

    private func write(
        _ draft: EntryDraft, _ event: AuditEvent, _ publishTiming: PublishTiming, by actor: Actor
    ) async throws -> ChangeOutcome {
        try await advance(draft.content.title(in: draft.type), event, publishTiming, by: actor) {
            try await $0.write(draft)
        }
    }

    private func send(
        _ revision: RevisionRow, _ event: AuditEvent, _ publishTiming: PublishTiming, by actor: Actor
    ) async throws -> ChangeOutcome {
        let title = try revision.stored.readable()["title"]?.stringValue ?? "entry"
        return try await advance(title, event, publishTiming, by: actor) { _ in revision.written }
    }

    /// Approves the revision and publishes it, unless it is to stay a draft or needs more approvals.
    private func advance(
        _ title: String, _ event: AuditEvent, _ publishTiming: PublishTiming, by actor: Actor,
        _ revision: @Sendable @escaping (AuditedTransaction) async throws -> WrittenRevision
    ) async throws -> ChangeOutcome {
        try await publishTiming.check(by: actor, database)
        return try await database.transaction(by: actor, event) { transaction in
            try await transaction.lock(for: publishTiming)
            let written = try await revision(transaction)
            guard publishTiming != .draft, try await transaction.approve(written.revision) else {
                return ChangeOutcome(entry: written.entry, revision: written.number, isApproved: false)
            }
            let published = try await transaction.publish([written.change], publishTiming, title: title)
            return ChangeOutcome(entry: written.entry, revision: written.number, isApproved: true, published)
        }
    }
}
