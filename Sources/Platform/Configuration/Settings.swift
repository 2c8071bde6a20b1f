// How this daemon runs: every key of the configuration, with its default, its limits and its meaning.

/// Read once at start: flag before environment (`VITRINE_LISTEN_PORT`) before file before default. A key is added here
/// and in `Config/vitrine.json`; a test compares the two. (What apps obey are "settings" of another kind: entries.)
package struct Settings: Sendable {
    package let listen: Listen
    package let metrics: Metrics
    /// Scheme, host and port, without a slash at the end.
    package let publicURL: String
    package let environment: Environment
    package let directories: Directories
    /// How many event loops (threads) answer requests.
    package let loops: Int
    package let database: Database
    package let http: HTTP
    /// How long requests in flight may take after SIGTERM.
    package let drain: Duration
    package let session: Session
    /// How long a curator's claim lasts without renewal.
    package let claim: Duration
    package let review: Review
    package let login: Login
    package let intake: Intake
    package let tasks: Tasks
    package let webhooks: Webhooks
    package let mail: Mail
    package let media: Media
    package let catalogs: Catalogs
    package let delivery: Delivery
    package let log: Log

    /// One for each key, in the order of this file.
    package let entries: [Entry]
    /// Sentences about what was ignored, for the log.
    package let warnings: [String]

    init(_ read: SettingsReader) {
        listen = Listen(read)
        metrics = Metrics(read)
        publicURL = Settings.publicURL(read, port: listen.port)
        environment = read.choice("environment", .production, "What kind of place this is.")
        directories = Directories(read)
        loops = read.integer("loops", 2, 1...64, "Threads that answer requests.")
        database = Database(read)
        http = HTTP(read)
        drain = read.duration(
            "drain_seconds", 25, 0...3600, .second, "Time that requests in flight get after SIGTERM.")
        session = Session(read)
        claim = read.duration("claim.minutes", 10, 1...1440, .minute, "How long a claim lasts without renewal.")
        review = Review(read)
        login = Login(read)
        intake = Intake(read)
        tasks = Tasks(read)
        webhooks = Webhooks(read)
        mail = Mail(read)
        media = Media(read)
        catalogs = Catalogs(read)
        delivery = Delivery(read)
        log = Log(read)
        read.checkNames()
        entries = read.entries
        warnings = read.warnings
    }

    private static func publicURL(_ read: SettingsReader, port: Int) -> String {
        let key = "public.url"
        let given = read.optionalText(key, "Where people and apps reach it; by default http://127.0.0.1:PORT.")
        guard let given else { return "http://127.0.0.1:\(port)" }
        if let objection = PublicURL.objection(to: given) {
            read.refuse(key, objection)
        }
        return given.hasSuffix("/") ? String(given.dropLast()) : given
    }
}

extension Settings {
    package enum Environment: String, Sendable, CaseIterable {
        case production, development, test
    }

    package struct Review: Sendable {
        package let claimsOnOpen: Bool
        /// How long a submission should wait at most.
        package let targetHours: Int
        /// How long a decision may be undone before its contributor is told.
        package let graceMinutes: Int
        /// How much later goes live what is accepted to go live now; until then it can be undone unseen.
        package let publishDelaySeconds: Int
        /// Whether what was handed on is decided by nobody but whom it was handed to.
        package let bindsAssignees: Bool
        /// How long the status page of a submission opens after the latest action.
        package let statusDays: Int

        fileprivate init(_ read: SettingsReader) {
            claimsOnOpen = read.flag("claim.on_open", false, "Whether opening a submission takes it.")
            targetHours = read.integer(
                "review.target_hours", 24, 1...8760, "Submissions that have waited for so long are shown as late.")
            graceMinutes = read.integer(
                "review.grace_minutes", 10, 0...10_080, "Time to undo a decision before its contributor is told.")
            publishDelaySeconds = read.integer(
                "review.publish_delay_seconds", 0, 0...3600,
                "What is accepted to go live now goes live so much later, unless it is undone.")
            bindsAssignees = read.flag(
                "review.assigned_only", false, "Whether only those decide to whom a submission was handed on.")
            statusDays = read.integer(
                "review.status_days", 365, 1...3650, "How long a status page opens after the latest action.")
        }
    }

    package struct Listen: Sendable {
        package let host: String
        /// 0: any free port.
        package let port: Int

        fileprivate init(_ read: SettingsReader) {
            host = read.text("listen.host", "127.0.0.1", "Address to listen on; 0.0.0.0 is every address.")
            port = read.integer("listen.port", 8080, 0...65535, "Port to listen on; 0 is any free one.")
        }
    }

    package struct Metrics: Sendable {
        /// Nil: metrics are not served.
        package let token: Secret?

        fileprivate init(_ read: SettingsReader) {
            token = read.secret("metrics.token", "Bearer token that opens /metrics; without one it is closed.")
        }
    }

    /// Absolute paths; whether they exist is for whoever uses them to say.
    package struct Directories: Sendable {
        package let data: String
        package let templates: String
        package let contentTypes: String
        package let staticFiles: String

        fileprivate init(_ read: SettingsReader) {
            data = read.location.absolute(read.text("data.dir", ".vitrine", "Where it keeps files of its own."))
            templates = read.programFiles("templates.dir", "Templates", "Templates of pages and mails.")
            contentTypes = read.programFiles("content_types.dir", "Config/content-types", "Shapes of entries.")
            staticFiles = read.programFiles("static.dir", "Templates/static", "Style sheets, scripts and icons.")
        }
    }

    package struct Database: Sendable {
        /// A connection URL or libpq's `key=value` text; nil: what PGHOST and its like say.
        package let url: Secret?
        /// Connections on which single statements are multiplexed.
        package let pipeline: Int
        /// Connections for transactions.
        package let pool: Int
        /// How long a request may wait for a connection before it is answered 503.
        package let poolWait: Duration
        /// How long any statement may take, measured at our side.
        package let deadline: Duration
        /// The same for publications, plans of them and proofs of the read tables.
        package let publicationDeadline: Duration
        /// How long a statement may wait for a lock.
        package let lockTimeout: Duration
        /// After what PostgreSQL ends a session whose open transaction asks for nothing.
        package let idleTransactionTimeout: Duration
        /// False for poolers that lose prepared statements.
        package let prepare: Bool
        /// What the names of the database roles begin with.
        package let rolePrefix: String

        fileprivate init(_ read: SettingsReader) {
            url = read.secret("database.url", alias: "DATABASE_URL", "PostgreSQL connection URL.")
            pipeline = read.integer("database.pipeline", 4, 1...64, "Connections shared by single statements.")
            pool = read.integer("database.pool", 16, 1...1000, "Connections for transactions.")
            poolWait = read.duration(
                "database.pool_wait_ms", 1500, 1...60_000, .millisecond, "Longest wait for a connection.")
            deadline = read.duration(
                "database.deadline_ms", 4000, 100...600_000, .millisecond, "Longest time for one statement.")
            publicationDeadline = read.duration(
                "database.publication_deadline_ms", 30_000, 1000...3_600_000, .millisecond,
                "Longest time for a publication.")
            lockTimeout = read.duration(
                "database.lock_timeout_ms", 2000, 1...600_000, .millisecond, "Longest wait of a statement for a lock.")
            idleTransactionTimeout = read.duration(
                "database.idle_transaction_timeout_ms", 5000, 100...600_000, .millisecond,
                "Longest pause inside a transaction.")
            prepare = read.flag("database.prepare", true, "Prepare statements; false behind pgbouncer.")
            rolePrefix = read.text("database.role_prefix", "vitrine", "What names of database roles begin with.")
            if let objection = Database.objection(toPrefix: rolePrefix) {
                read.refuse("database.role_prefix", objection)
            }
        }

        /// It becomes part of names in SQL; PostgreSQL cuts names at 63 bytes, and ours add up to 20.
        private static func objection(toPrefix prefix: String) -> String? {
            let isName = prefix.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
            let startsWell = prefix.first.map { $0.isLetter } ?? false
            guard !isName || !startsWell || prefix.utf8.count > 40 else { return nil }
            return "must be at most 40 small letters, digits and \"_\", beginning with a letter, not \"\(prefix)\""
        }
    }

    package struct HTTP: Sendable {
        package let headerTimeout: Duration
        package let bodyTimeout: Duration
        package let idleTimeout: Duration
        package let maxConnections: Int
        package let maxBodyBytes: Int
        /// Whose X-Forwarded-For is believed.
        package let trustedProxies: TrustedProxies

        fileprivate init(_ read: SettingsReader) {
            headerTimeout = read.duration(
                "http.header_timeout_s", 10, 1...3600, .second, "Longest time for the headers of a request.")
            bodyTimeout = read.duration(
                "http.body_timeout_s", 15, 1...3600, .second, "Longest time for the body of a request.")
            idleTimeout = read.duration(
                "http.idle_timeout_s", 30, 1...3600, .second, "How long an idle connection is kept.")
            maxConnections = read.integer(
                "http.max_connections", 12_000, 1...1_000_000, "Connections open at once.")
            maxBodyBytes = read.integer(
                "http.max_body_bytes", 1 << 20, 1024...(1 << 30), "Longest body of a request, in bytes.")
            let proxies = read.optionalText(
                "http.trusted_proxies", "Addresses and networks whose X-Forwarded-For is believed, between commas.")
            let known = TrustedProxies(proxies ?? "")
            if known == nil {
                read.refuse("http.trusted_proxies", "must be addresses or networks such as 10.0.0.0/8 between commas")
            }
            trustedProxies = known ?? .nobody
        }
    }

    package struct Session: Sendable {
        package let idle: Duration
        package let absolute: Duration

        fileprivate init(_ read: SettingsReader) {
            idle = read.duration(
                "session.idle_minutes", 30, 1...10_080, .minute, "When an unused sign-in session ends.")
            absolute = read.duration("session.absolute_hours", 12, 1...720, .hour, "When any sign-in session ends.")
        }
    }

    package struct Login: Sendable {
        /// The time over which attempts are counted.
        package static let window: Duration = .seconds(15 * 60)

        package let attemptsPerAccount: Int
        package let attemptsPerIP: Int
        /// The roles that may do nothing before they have set up a second factor; whether they are roles is for Accounts to say.
        package let secondFactorRoles: [String]

        fileprivate init(_ read: SettingsReader) {
            attemptsPerAccount = read.integer(
                "login.attempts_per_account", 10, 1...100_000, "Failed sign-ins per account in 15 minutes.")
            attemptsPerIP = read.integer(
                "login.attempts_per_ip", 50, 1...100_000, "Failed sign-ins per address in 15 minutes.")
            let roles = read.optionalText(
                "login.second_factor", "Roles that must set up a second factor, with blanks between them.")
            secondFactorRoles = roles?.split { $0 == " " || $0 == "," }.map(String.init) ?? []
        }
    }

    package struct Intake: Sendable {
        /// Per client; nil: unlimited.
        package let ratePerMinute: Int?
        package let isAnonymousAllowed: Bool

        fileprivate init(_ read: SettingsReader) {
            let rate = read.integer(
                "intake.rate_per_minute", 600_000, 0...100_000_000, "Submissions per client; 0 is unlimited.")
            ratePerMinute = rate == 0 ? nil : rate
            isAnonymousAllowed = read.flag("intake.anonymous", false, "Take submissions without a contributor.")
        }
    }

    package struct Tasks: Sendable {
        /// How long a job waits at most when its notification was lost.
        package let poll: Duration

        fileprivate init(_ read: SettingsReader) {
            poll = read.duration("tasks.poll_ms", 1000, 10...60_000, .millisecond, "How often due tasks are looked for.")
        }
    }

    package struct Webhooks: Sendable {
        /// 32 bytes in base64; nil: the file `webhooks.key` in the data folder.
        package let key: Secret?
        package let allowsHTTP: Bool
        package let ports: [String]
        /// Hosts and addresses, each with a port or without.
        package let allowPrivate: [String]

        fileprivate init(_ read: SettingsReader) {
            key = read.secret("webhooks.key", "Seals stored secrets: 32 bytes in base64; without it a file is made.")
            allowsHTTP = read.flag("webhooks.allow_http", false, "Let webhooks lead to http:// addresses.")
            ports = Self.words(read.text("webhooks.ports", "443", "Ports that webhooks may lead to; 80 with http."))
            let list = read.optionalText(
                "webhooks.allow_private", "Hosts inside that webhooks may lead to: \"localhost:9000 10.0.0.5\".")
            allowPrivate = Self.words(list ?? "")
        }

        private static func words(_ list: String) -> [String] {
            list.split { $0 == " " || $0 == "," }.map(String.init)
        }
    }

    /// The limits of images, and where their files are kept: in a folder, or in a bucket where one is named.
    package struct Media: Sendable {
        /// Ends in a slash; nil: /media/ of the public address.
        package let baseURL: String?
        /// Nil: the folder `media` in the data folder.
        package let folder: String?
        package let maxBytes: Int
        package let maxPixels: Int
        package let seconds: Int
        package let memoryMegabytes: Int
        package let widths: [Int]
        package let atOnce: Int
        package let bucket: Bucket?

        package struct Bucket: Sendable {
            package let endpoint: String
            package let name: String
            package let region: String
            package let keyID: String
            package let secret: Secret
            /// Hosts inside that may be the endpoint, as for webhooks.
            package let allowsPrivate: Bool
        }

        fileprivate init(_ read: SettingsReader) {
            let base = read.optionalText(
                "media.base_url", "Where apps find images; by default /media/ at public.url.")
            baseURL = base.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
            folder = read.optionalText("media.folder", "Where images are kept; by default media in the data folder.")
                .map(read.location.absolute)
            maxBytes = read.integer("media.max_bytes", 10 << 20, 1024...(100 << 20), "Largest upload of an image.")
            maxPixels = read.integer("media.max_pixels", 25_000_000, 1...250_000_000, "Most pixels of an image.")
            seconds = read.integer("media.seconds", 20, 1...600, "Processor time for reading one image.")
            memoryMegabytes = read.integer("media.memory_mb", 1024, 256...16_384, "Memory for reading one image.")
            let list = read.text("media.widths", "320 640 1024 1600", "Widths in which images are offered.")
            let words = list.split { $0 == " " || $0 == "," }
            widths = words.compactMap { Int($0) }.filter { (1...16_384).contains($0) }
            if widths.count != words.count || widths.count > 12 {
                read.refuse("media.widths", "must be at most 12 numbers from 1 to 16384, such as \"320 640 1024\"")
            }
            atOnce = read.integer("media.at_once", 2, 1...64, "Images that are read at the same time.")
            bucket = Bucket.read(read)
        }
    }

    package struct Log: Sendable {
        package let level: LogLevel
        package let format: LogFormat

        fileprivate init(_ read: SettingsReader) {
            level = read.choice("log.level", .info, "The least important events that are logged.")
            format = read.choice("log.format", .text, "How log lines are written.")
        }
    }
}
