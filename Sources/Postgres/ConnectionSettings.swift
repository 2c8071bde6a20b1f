// Settings shared by all connections of one client.

struct ConnectionSettings: Sendable {
    let configuration: PostgresConfiguration
    let address: DatabaseURL
    /// Shared by all connections of the client.
    let pooler = PoolerFinding()
    /// How long a connection attempt may take, from the lookup of the name to the last setting.
    let connectLimit: Duration = .seconds(3)
    /// Whether generic plans are used: for connections that repeat one statement.
    var keepsPlans = false

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        address = DatabaseURL(configuration: configuration)
    }

    /// PostgreSQL cancels a statement shortly before our own deadline: its response keeps the connection usable, and
    /// an abandoned caller leaves nothing running on the server.
    func statementTimeout(_ deadline: Duration) -> String {
        String(max(1, deadline.wholeMilliseconds * 7 / 8))
    }

    /// The statements that set up a new session. `dateStyle` is what the server reported.
    func sessionStart(dateStyle: String) -> [SQL] {
        var statements: [SQL] = [
            "set statement_timeout to \(raw: statementTimeout(configuration.deadline))",
            "set lock_timeout to \(raw: String(configuration.lockTimeout.wholeMilliseconds))",
            """
            set idle_in_transaction_session_timeout to \
            \(raw: String(configuration.idleTransactionTimeout.wholeMilliseconds))
            """,
            // A killed daemon must not leave statements running that block others.
            "set client_connection_check_interval to '500ms'",
            // Compiling would take longer than running these statements.
            "set jit to off",
        ]
        // By default PostgreSQL replans a statement with arrays each time, which takes longer than running it.
        if keepsPlans { statements.append("set plan_cache_mode to 'force_generic_plan'") }
        // Dates are decoded in ISO style, whatever the role or the database sets.
        if !dateStyle.hasPrefix("ISO") { statements.append("set datestyle to 'ISO'") }
        if let role = configuration.role { statements.append("set role \(raw: SQLName.quoted(role))") }
        return statements
    }
}
