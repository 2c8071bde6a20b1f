// What people typed into forms and have not saved yet: one row for each account and form.
import Domain
import FoundationEssentials
import Postgres

/// The state of a form in one tab of a browser.
package struct AutosaveDraft: Sendable {
    /// The URL that opens the form.
    package let form: String
    package let title: String
    package let tab: String
    /// The tab whose text this one shows and continues; empty for none.
    package let from: String
    /// Increases with each change in a tab.
    package let sequence: Int64
    /// Names and values in the order of the form, as JSON.
    package let fields: JSONValue

    package init(form: String, title: String, tab: String, from: String, sequence: Int64, fields: JSONValue) {
        self.form = form
        self.title = title
        self.tab = tab
        self.from = from
        self.sequence = sequence
        self.fields = fields
    }
}

package struct AutosaveRow: Sendable {
    package let form: String
    package let title: String
    package let tab: String
    package let sequence: Int64
    /// Nil once the form was saved or discarded.
    package let fields: JSONValue?
    package let savedAt: Date

    init(row: Row) throws {
        form = try row("form")
        title = try row("title")
        tab = try row("tab")
        sequence = try row("sequence")
        fields = try (row("fields") as String?).map { try JSONValue(stored: Array($0.utf8)) }
        savedAt = try row("saved_at")
    }
}

/// A form with unsaved text in a list.
package struct AutosaveLine: Sendable {
    package let form: String
    package let title: String
    /// The beginning of the title that was typed, or else of the first longer text; nil if there is neither.
    package let start: String?
    package let savedAt: Date

    init(row: Row) throws {
        form = try row("form")
        title = try row("title")
        start = try row("start")
        savedAt = try row("saved_at")
    }
}

package enum AutosaveResult: Sendable, Equatable {
    case saved(Date)
    /// A newer state of the same tab is stored, or one of another tab that the draft doesn't continue.
    case outdated
    /// The account has as many unsaved texts as it may have. None is deleted to make room.
    case full
}

package struct AutosaveStore: Sendable {
    let connection: StoreConnection

    /// The texts of one account.
    package static let limit = 50
    /// The bytes of one row's fields as JSON, which at most doubles the size of a form (`AdminSite.bodyLimit`).
    package static let maxBytes = 4 << 20
    /// The bytes of all texts of one account.
    package static let totalBytes = 16 << 20
    private static let columns: SQL = "form, title, tab, sequence, fields::text as fields, saved_at"

    package func find(_ form: String, of account: ID<Account>) async throws -> AutosaveRow? {
        try await connection.first(
            "select \(Self.columns) from ops.autosave where account_id = \(account) and form = \(form)",
            AutosaveRow.init)
    }

    package func find(_ forms: [String], of account: ID<Account>) async throws -> [AutosaveRow] {
        try await connection.rows(
            "select \(Self.columns) from ops.autosave where account_id = \(account) and form = any(\(forms)::text[])",
            AutosaveRow.init)
    }

    /// The forms with unsaved text, newest first.
    package func list(of account: ID<Account>, limit: Int = AutosaveStore.limit) async throws -> [AutosaveLine] {
        try await connection.rows(
            """
            select form, title, saved_at, left((
                select f.pair ->> 1 from json_array_elements(fields) with ordinality f (pair, position)
                where f.pair ->> 0 = 'field.title' and f.pair ->> 1 <> ''
                    or f.pair ->> 0 <> 'was' and f.pair ->> 1 ~ '\\s'
                order by f.pair ->> 0 <> 'field.title', f.position limit 1), 1000) as start
            from ops.autosave where account_id = \(account) and fields is not null
            order by saved_at desc, form limit \(limit)
            """, AutosaveLine.init)
    }

    /// Saves the state of a form. A text that doesn't get longer is saved in any case.
    package func save(_ draft: AutosaveDraft, of account: ID<Account>) async throws -> AutosaveResult {
        let text = draft.fields.canonicalText
        let bytes = text.utf8.count
        let result: AutosaveResult? = try await connection.first(
            """
            with used as (
                select coalesce(max(bytes) filter (where form = \(draft.form)), 0) as own,
                    coalesce(sum(bytes) filter (where form <> \(draft.form)), 0) as others,
                    count(*) filter (where form <> \(draft.form) and fields is not null) as texts
                from ops.autosave where account_id = \(account)::uuid),
            room as (
                select own >= \(bytes)::bigint
                    or (own > 0 or texts < \(fixed: Self.limit))
                        and others + \(bytes)::bigint <= \(fixed: Self.totalBytes) as is_free
                from used),
            saved as (
                insert into ops.autosave as a (account_id, form, title, tab, sequence, fields)
                select \(account)::uuid, \(draft.form)::text, \(draft.title)::text, \(draft.tab)::text,
                    \(draft.sequence)::bigint, \(text)::json
                from room where is_free
                on conflict (account_id, form) do update set title = excluded.title, tab = excluded.tab,
                    sequence = excluded.sequence, fields = excluded.fields, saved_at = clock_timestamp()
                where case when a.tab = excluded.tab then a.sequence < excluded.sequence
                    else a.fields is null or a.tab = \(draft.from) end
                returning saved_at)
            select (select saved_at from saved) as saved_at, is_free from room
            """
        ) { row -> AutosaveResult in
            guard try (row("is_free") as Bool) else { return .full }
            return try (row("saved_at") as Date?).map(AutosaveResult.saved) ?? .outdated
        }
        // Saved forms are kept for requests that arrive late; the oldest of them go.
        try await connection.run(
            """
            delete from ops.autosave where account_id = \(account) and fields is null and form in (
                select form from (
                    select form, row_number() over (order by fields is null, saved_at desc, form) as position
                    from ops.autosave where account_id = \(account)) numbered
                where position > \(fixed: Self.limit))
            """)
        return result ?? .outdated
    }

    /// Removes the text of a form that was saved in `tab`, and the text that it showed from the tab `from`. Requests of the tab
    /// that arrive later, up to `sequence`, restore nothing.
    package func finish(
        _ form: String, tab: String, from: String, sequence: Int64, of account: ID<Account>
    ) async throws {
        // A page without script has no late requests.
        if tab.isEmpty {
            try await connection.run(
                "delete from ops.autosave where account_id = \(account) and form = \(form) and tab = \(from)")
            return
        }
        try await connection.run(
            """
            insert into ops.autosave as a (account_id, form, tab, sequence)
            values (\(account), \(form), \(tab), \(sequence))
            on conflict (account_id, form) do update set tab = excluded.tab, title = '', fields = null,
                sequence = case when a.tab = excluded.tab then greatest(a.sequence, excluded.sequence)
                    else excluded.sequence end, saved_at = clock_timestamp()
            where a.tab in (excluded.tab, \(from)) or a.fields is null
            """)
    }

    /// Removes the texts of forms, whichever tab they are from. Requests of `tab` that arrive later, up to `sequence`, restore
    /// nothing; without a tab, those of the tabs that they are from.
    package func discard(
        _ forms: [String], tab: String = "", sequence: Int64 = 0, of account: ID<Account>
    ) async throws {
        try await connection.run(
            """
            update ops.autosave set fields = null, title = '', saved_at = clock_timestamp(),
                tab = coalesce(nullif(\(tab)::text, ''), tab),
                sequence = case when \(tab)::text in ('', tab) then greatest(sequence, \(sequence)::bigint)
                    else \(sequence)::bigint end
            where account_id = \(account) and form = any(\(forms)::text[])
            """)
    }

    /// Deletes what nobody continued for 30 days.
    package func sweep() async throws {
        try await connection.run(
            "delete from ops.autosave where saved_at < now() - interval '30 days'")
    }
}
