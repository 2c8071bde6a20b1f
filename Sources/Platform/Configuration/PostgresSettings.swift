// Reads how the connections to PostgreSQL are made and limited.

extension Settings {
    package struct Database: Sendable {
        /// A connection URL or libpq's `key=value` text; nil: PGHOST and related variables.
        package let url: Secret?
        package let signInURL: Secret?
        package let scheduleURL: Secret?
        /// Connections that multiplex single statements.
        package let pipeline: Int
        /// Connections for transactions.
        package let pool: Int
        /// Longest wait for a connection; the response is 503 after that.
        package let poolWait: Duration
        /// Longest time for one statement, measured by the client.
        package let deadline: Duration
        /// The same for publications, their plans and verifications of the read tables.
        package let publicationDeadline: Duration
        /// Longest wait of a statement for a lock.
        package let lockTimeout: Duration
        /// Longest idle time inside a transaction.
        package let idleTransactionTimeout: Duration
        /// Idle time after which a connection closes, except for one for statements and two that listen in each daemon.
        package let idleTimeout: Duration
        /// False behind poolers that lose prepared statements.
        package let prepare: Bool
        /// Prefix of the database roles.
        package let rolePrefix: String

        init(_ read: SettingsReader) {
            url = read.secret("database.url", alias: "DATABASE_URL", "PostgreSQL connection URL.")
            signInURL = read.secret(
                "database.sign_in_url", "URL with a login of its own for signing in. Default: database.url.")
            scheduleURL = read.secret(
                "database.schedule_url", "URL with a login of its own for background work. Default: database.url.")
            pipeline = read.integer("database.pipeline", 4, 1...64, "Connections shared by single statements.")
            pool = read.integer("database.pool", 16, 1...1000, "Connections for transactions.")
            poolWait = read.duration(
                "database.pool_wait_ms", 1500, 1...60_000, .millisecond, "Longest wait for a connection.")
            deadline = read.duration(
                "database.deadline_ms", 4000, 100...600_000, .millisecond, "Longest time for one statement.")
            publicationDeadline = read.duration(
                "database.publication_deadline_ms", 30_000, 1000...3_600_000, .millisecond,
                "Longest time for one publication.")
            lockTimeout = read.duration(
                "database.lock_timeout_ms", 2000, 1...600_000, .millisecond, "Longest wait of a statement for a lock.")
            idleTransactionTimeout = read.duration(
                "database.idle_transaction_timeout_ms", 5000, 100...600_000, .millisecond,
                "Longest idle time inside a transaction.")
            idleTimeout = read.duration(
                "database.idle_timeout_ms", 60_000, 1000...3_600_000, .millisecond,
                "Time without use after which a connection closes.")
            prepare = read.flag(
                "database.prepare", true, "Prepare statements; false if a proxy of the database loses them.")
            rolePrefix = read.text("database.role_prefix", "vitrine", "Prefix of the database roles.")
            if let objection = Database.objection(toPrefix: rolePrefix) {
                read.refuse("database.role_prefix", objection)
            }
        }

        /// The prefix becomes part of SQL names. PostgreSQL truncates names to 63 bytes; suffixes have up to 20.
        private static func objection(toPrefix prefix: String) -> String? {
            let isName = prefix.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
            let startsWithLetter = prefix.first.map { $0.isLetter } ?? false
            guard !isName || !startsWithLetter || prefix.utf8.count > 40 else { return nil }
            return "must be at most 40 lowercase letters, digits and \"_\", starting with a letter, not \"\(prefix)\""
        }
    }
}
