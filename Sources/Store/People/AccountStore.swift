// Staff accounts, their sign-in links and their failed sign-ins.
import Domain
import FoundationEssentials
import Postgres

package struct AccountRow: Sendable, Encodable {
    package let id: ID<Account>
    package let email: String
    package let name: String
    package let role: Role
    package let passwordHash: String?
    package let isDisabled: Bool
    /// Whether sign-in requires a second factor.
    package let hasSecondFactor: Bool
    package let scope: AccessScope
    /// The language of mails to this person.
    package let locale: String
    package let invitedAt: Date?
    package let createdAt: Date

    /// Without the hash, which nobody needs to see.
    private enum CodingKeys: CodingKey {
        case id, email, name, isDisabled, hasSecondFactor, locale
    }

    package var state: AccountState {
        isDisabled ? .disabled : invitedAt != nil && passwordHash == nil ? .invited : .active
    }

    package var recipient: MailRecipient {
        MailRecipient(email: email, name: name, locale: locale, account: id)
    }

    init(row: Row) throws {
        id = try row("id")
        email = try row("email")
        name = try row("name")
        role = try row("role")
        passwordHash = try row("password_hash")
        isDisabled = try row("is_disabled")
        hasSecondFactor = try row("has_second_factor")
        scope = try AccessScope(row: row)
        locale = try row("locale")
        invitedAt = try row("invited_at")
        createdAt = try row("created_at")
    }
}

package struct AccountStore: Sendable {
    let connection: StoreConnection

    static let columns: SQL = """
        a.id, a.email, n.name, \(Role.column("a.role")) as role, a.password_hash, a.disabled_at is not null as is_disabled, a.locale, a.invited_at,
        a.created_at,
        exists (select from ops.second_factor f where f.account_id = a.id and f.confirmed_at is not null) as has_second_factor,
        \(AccessScope.columns)
        """

    package func find(email: String) async throws -> AccountRow? {
        try await connection.first(
            """
            select \(Self.columns) from ops.account a join ops.actor n on n.id = a.id
            where a.email = \(EmailAddress.stored(email))
            """, AccountRow.init)
    }

    package func find(_ id: ID<Account>) async throws -> AccountRow? {
        try await connection.first(
            "select \(Self.columns) from ops.account a join ops.actor n on n.id = a.id where a.id = \(id)",
            AccountRow.init)
    }

    /// All accounts by name; teams are small.
    package func list() async throws -> [AccountRow] {
        try await connection.rows(
            "select \(Self.columns) from ops.account a join ops.actor n on n.id = a.id order by lower(n.name), a.id limit 1000",
            AccountRow.init)
    }

    /// Creates an account; `account_email_once` rejects an email that is in use.
    package func add(
        id: ID<Account>, email: String, name: String, role: Role, passwordHash: String?, locale: String = "en"
    ) async throws {
        try await connection.run(
            """
            with actor as (insert into ops.actor (id, kind, name) values (\(id), 'account', \(name)) returning id)
            insert into ops.account (id, email, role, locale) select id, lower(\(email)), \(role), \(locale) from actor
            """)
        if let passwordHash { try await setPassword(id, hash: passwordHash) }
    }

    package func setName(_ id: ID<Account>, _ name: String) async throws {
        try await connection.run("update ops.actor set name = \(name) where id = \(id)")
    }

    /// Records an invitation at the current time and returns the updated account.
    package func invite(_ id: ID<Account>) async throws -> AccountRow? {
        try await connection.run("update ops.account set invited_at = clock_timestamp() where id = \(id)")
        return try await find(id)
    }

    /// Releases the submissions that an account has claimed, or transfers them to another account.
    package func transferClaims(from id: ID<Account>, to newOwner: ID<Account>?) async throws -> Int {
        try await connection.run(
            """
            update curation.queue_item set claimed_by = \(newOwner)::uuid,
                claimed_until = case when \(newOwner)::uuid is not null then claimed_until end
            where claimed_by = \(id)
            """)
    }

    package func setPassword(_ id: ID<Account>, hash: String) async throws {
        try await connection.run("update ops.account set password_hash = \(hash) where id = \(id)")
    }

    package func setRole(_ id: ID<Account>, _ role: Role) async throws {
        try await connection.run("update ops.account set role = \(role) where id = \(id)")
    }

    package func setZone(_ id: ID<Account>, _ zone: String) async throws {
        try await connection.run("update ops.account set zone = \(zone) where id = \(id)")
    }

    package func setScope(_ id: ID<Account>, _ scope: AccessScope) async throws {
        try await connection.run(
            """
            update ops.account set types = nullif(\(scope.types.sorted())::text[], '{}'),
                groups = nullif(\(scope.groups.map(\.description).sorted())::uuid[], '{}')
            where id = \(id)
            """)
    }

    /// Disables an account and ends its sessions, or enables it again.
    package func setDisabled(_ id: ID<Account>, _ isDisabled: Bool) async throws {
        try await connection.run(
            "update ops.account set disabled_at = case when \(isDisabled)::boolean then now() end where id = \(id)")
        if isDisabled { try await connection.run("delete from ops.session where account_id = \(id)") }
    }

    // MARK: Sign-in links

    package func addLink(
        tokenHash: [UInt8], account: ID<Account>, for purpose: LinkPurpose, minutes: Int
    ) async throws {
        try await connection.run(
            """
            insert into ops.sign_in_link (token_hash, account_id, purpose, expires_at)
            values (\(tokenHash), \(account), \(purpose.rawValue), now() + make_interval(mins => \(minutes)::integer))
            """)
    }

    /// The account of a link that is still valid; does not use the link.
    package func findLink(tokenHash: [UInt8], for purpose: LinkPurpose) async throws -> AccountRow? {
        try await connection.first(
            """
            select \(Self.columns) from ops.sign_in_link l join ops.account a on a.id = l.account_id
            join ops.actor n on n.id = a.id
            where l.token_hash = \(tokenHash) and l.purpose = \(purpose.rawValue) and l.used_at is null
              and l.expires_at > now() and a.disabled_at is null
            """, AccountRow.init)
    }

    /// Uses a link once. Returns its account, or nil when the link was used, has expired or does not exist.
    package func useLink(tokenHash: [UInt8], for purpose: LinkPurpose) async throws -> AccountRow? {
        let account: ID<Account>? = try await connection.first(
            """
            update ops.sign_in_link set used_at = now()
            where token_hash = \(tokenHash) and purpose = \(purpose.rawValue) and used_at is null and expires_at > now()
            returning account_id
            """
        ) { try $0("account_id") }
        guard let account else { return nil }
        return try await find(account)
    }

    /// Deletes attempts and links older than a day, and expired sessions.
    package func sweep() async throws {
        try await connection.run("delete from ops.sign_in_failure where failed_at < now() - interval '1 day'")
        try await connection.run("delete from ops.sign_in_link where expires_at < now() - interval '1 day'")
        try await connection.run("delete from ops.session where expires_at < now()")
    }
}

extension AccessScope {
    /// Columns of `ops.account a`.
    static let columns: SQL = "coalesce(a.types, '{}') as types, coalesce(a.groups, '{}')::text[] as groups"

    init(row: Row) throws {
        self.init(
            types: Set(try row("types") as [String]), groups: Set((try row("groups") as [String]).compactMap { ID($0) })
        )
    }
}
