// Lists accounts for administrators: state, last use and the state of the newest mail.
import Domain
import FoundationEssentials
import Postgres

package struct AccountLine: Sendable {
    package let account: AccountRow
    package let seenAt: Date?
    /// State of the newest mail with a link.
    package let mailState: MailState?
    package let mailError: String?

    package init(account: AccountRow, seenAt: Date?, mailState: MailState?, mailError: String?) {
        self.account = account
        self.seenAt = seenAt
        self.mailState = mailState
        self.mailError = mailError
    }

    init(row: Row) throws {
        account = try AccountRow(row: row)
        seenAt = try row("seen_at")
        mailState = try row("mail_state")
        mailError = try row("mail_error")
    }
}

extension AccountStore {
    /// Accounts in one state, or all, by name.
    package func page(state: AccountState?, cursor: String?, limit: Int) async throws -> Page<AccountLine> {
        var conditions: SQL = "true"
        switch state {
        case .disabled: conditions = "a.disabled_at is not null"
        case .invited:
            conditions = "a.disabled_at is null and a.invited_at is not null and a.password_hash is null"
        case .active:
            conditions = "a.disabled_at is null and (a.invited_at is null or a.password_hash is not null)"
        case nil: break
        }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 2)
            conditions += " and (lower(n.name), a.id) > (\(position.values[0]), \(try position.uuid(1)))"
        }
        let rows = try await connection.rows(
            """
            select \(Self.columns), s.seen_at, m.state as mail_state, m.last_error as mail_error, lower(n.name) as sort_name
            from ops.account a join ops.actor n on n.id = a.id
            left join lateral (
                select max(seen_at) as seen_at from ops.session s where s.account_id = a.id and s.expires_at > now()
            ) s on true
            left join lateral (
                select m.state, m.last_error from ops.outbox_message m where m.account_id = a.id and m.link is not null
                order by m.id desc limit 1) m on true
            where \(conditions) order by lower(n.name), a.id limit \(limit + 1)
            """
        ) { (line: try AccountLine(row: $0), sortName: try $0("sort_name") as String) }
        return Page(rows: rows, limit: limit) { Cursor([$0.sortName, $0.line.account.id.description]) }.map(\.line)
    }

    /// Enabled accounts whose role has a permission, by name.
    package func list(may permission: Permission) async throws -> [AccountRow] {
        try await connection.rows(
            """
            select \(Self.columns) from ops.account a join ops.actor n on n.id = a.id
            where a.disabled_at is null and ops.role_has(a.role, \(permission.rawValue)) order by lower(n.name), a.id limit 1000
            """, AccountRow.init)
    }
}
