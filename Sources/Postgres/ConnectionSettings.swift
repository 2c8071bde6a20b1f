// What every connection of one client has in common.

struct ConnectionSettings: Sendable {
    let configuration: PostgresConfiguration
    let address: DatabaseURL
    /// How long a connection attempt may take, from the lookup of the name to the last setting.
    let connectLimit: Duration = .seconds(3)
    /// Whether statements are planned once for any values: for connections that send one statement over and over.
    var keepsPlans = false

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        address = DatabaseURL(configuration: configuration)
    }

    /// PostgreSQL ends a statement a little before we stop to wait for it: its answer keeps the connection in use, and
    /// a caller whom the answer does not reach leaves nothing running there.
    func statementTimeout(_ deadline: Duration) -> String {
        String(max(1, deadline.wholeMilliseconds * 7 / 8))
    }

    /// The statements that make a fresh session ours. `dateStyle` is what the server reported.
    func sessionStart(dateStyle: String) -> [SQL] {
        var statements: [SQL] = [
            "set statement_timeout to \(raw: statementTimeout(configuration.deadline))",
            "set lock_timeout to \(raw: String(configuration.lockTimeout.wholeMilliseconds))",
            """
            set idle_in_transaction_session_timeout to \
            \(raw: String(configuration.idleTransactionTimeout.wholeMilliseconds))
            """,
            // A daemon that was killed must not leave statements behind that others wait for.
            "set client_connection_check_interval to '500ms'",
            // Our statements are over sooner than they could be compiled.
            "set jit to off",
        ]
        // Left to itself PostgreSQL plans a statement with arrays anew each time, which takes longer than running it.
        if keepsPlans { statements.append("set plan_cache_mode to 'force_generic_plan'") }
        // Dates are read in ISO style, whatever the role or the database prefers.
        if !dateStyle.hasPrefix("ISO") { statements.append("set datestyle to 'ISO'") }
        if let role = configuration.role { statements.append("set role \(raw: SQLName.quoted(role))") }
        return statements
    }
}
