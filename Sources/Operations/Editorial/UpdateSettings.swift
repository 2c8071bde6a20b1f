// Updates the values of several settings in one change, and keeps all other edits made meanwhile.
import Domain
import Localization
import Store

package struct UpdateSettings: Sendable {
    /// The value of a setting that the actor saw, and the one to have instead.
    package struct Edit: Sendable {
        package let setting: ID<Entry>
        package let old: String
        package let new: String

        package init(setting: ID<Entry>, old: String, new: String) {
            self.setting = setting
            self.old = old
            self.new = new
        }

        package var isChange: Bool { old != new }
    }

    private struct Changes: Sendable {
        var revisions: [EditRevision] = []
        /// Versions with the values that the actor saw and left, of published settings.
        var unpublished: [RevisionRow] = []
        var titles: [String] = []
    }

    let database: Database
    let rules: ContentRules

    /// Writes a revision of each setting whose value changes. Publishing publishes the values of all these settings, so
    /// also drafts from before; a setting that is not published stays so while its value stays.
    /// Errors are at `/ID` of their setting. When one value is invalid or was changed by somebody else, nothing is
    /// written.
    package func callAsFunction(
        _ edits: [Edit], _ timing: PublishTiming = .now, by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.suggest, tr("edit entries"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        let changes = try await self.changes(edits, timing)
        let events = Self.events(changes)
        guard let first = events.first else {
            throw Failure.refused(code: "unchanged", message: tr("Nothing changed."))
        }
        return try await database.transaction(by: actor, first) { transaction in
            for event in events.dropFirst() { try await transaction.audit(event) }
            return try await Self.write(changes, timing, transaction)
        }
    }

    private func changes(_ edits: [Edit], _ timing: PublishTiming) async throws -> Changes {
        let settings = Dictionary(
            uniqueKeysWithValues: try await database.entries.choices(.setting).map { ($0.id, $0) })
        let rows = try await database.revisions.newest(of: edits.map(\.setting))
        let newest = Dictionary(uniqueKeysWithValues: rows.map { ($0.entry, $0) })
        var (found, errors, stale) = (Changes(), FieldErrors(), [StaleValue]())
        for edit in edits {
            guard let setting = settings[edit.setting], let row = newest[edit.setting] else {
                throw Failure.missing("setting")
            }
            let current = row.content.fields["value"]?.stringValue ?? ""
            if !edit.isChange || edit.new == current {
                guard timing != .draft, edit.new == current, setting.isLive, !row.isLive else { continue }
                found.unpublished.append(row)
                found.titles.append(setting.title)
            } else if current != edit.old {
                stale.append(
                    StaleValue(
                        key: edit.setting.description, label: setting.title, base: edit.old, theirs: current,
                        mine: edit.new, author: row.author))
            } else {
                do {
                    found.revisions.append(try await revision(edit, on: row, setting))
                    found.titles.append(setting.title)
                } catch Failure.invalid(let invalid) {
                    for item in invalid.items { errors.add("/\(edit.setting)", item.code, item.message) }
                }
            }
        }
        try errors.throwIfAny()
        if !stale.isEmpty { throw Failure.stale(stale) }
        return found
    }

    private func revision(_ edit: Edit, on row: RevisionRow, _ setting: EntryChoice) async throws -> EditRevision {
        let note = "Changed from \"\(edit.old.prefix(100))\" to \"\(edit.new.prefix(100))\""
        return try await EditRevision(on: row, as: rules.type(named: setting.type), rules, note: note) {
            $0["value"] = .string(edit.new)
        }
    }

    private static func events(_ changes: Changes) -> [AuditEvent] {
        let edited = changes.revisions.map { revision in
            AuditEvent(
                "entry.update", on: "entry", revision.draft.entry?.description ?? "",
                detail: ["base": .int(Int64(revision.draft.base))])
        }
        return edited
            + changes.unpublished.map { row in
                AuditEvent(
                    "entry.approve", on: "entry", row.entry.description, detail: ["revision": .int(Int64(row.number))])
            }
    }

    private static func write(
        _ changes: Changes, _ timing: PublishTiming, _ transaction: AuditedTransaction
    ) async throws -> ChangeOutcome {
        try await transaction.lock(for: timing)
        var all: [WrittenRevision] = []
        for revision in changes.revisions { all.append(try await transaction.write(revision.draft)) }
        all += changes.unpublished.map(\.written)
        guard let first = all.first else { throw Failure.refused(code: "unchanged", message: tr("Nothing changed.")) }
        var live: [LiveChange] = []
        if timing != .draft {
            let publishable = try await transaction.approve(all.map(\.revision)).publishable
            live = all.filter { publishable.contains($0.revision) }.map(\.change)
        }
        let title = changes.titles.count == 1 ? changes.titles[0] : "\(changes.titles.count) settings"
        let published = try await transaction.publish(live, timing, title: title)
        return ChangeOutcome(
            entry: first.entry, others: all.dropFirst().map(\.entry), revision: first.number,
            isApproved: live.count == all.count, drafts: all.count - live.count, published)
    }
}
