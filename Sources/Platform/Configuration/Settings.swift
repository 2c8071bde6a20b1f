// Defines every configuration key of the daemon with its default, range and meaning.

/// Read once at start: flags before environment (`VITRINE_LISTEN_PORT`) before file before default. A key is added here and
/// in `Config/vitrine.json`; a test compares the two. (Settings that apps read are content, not configuration.)
package struct Settings: Sendable {
    package let listen: Listen
    package let metrics: Metrics
    /// Scheme, host and port, without a trailing slash.
    package let publicURL: String
    package let environment: Environment
    /// A BCP 47 tag: `en`, or the name of a catalog in `directories.messages`.
    package let language: String
    /// The names of the enabled packs; nil for the default.
    package let packs: [String]?
    package let directories: Directories
    /// The number of event loops (threads) that handle requests.
    package let loops: Int
    package let database: Database
    package let http: HTTP
    package let limits: Limits
    /// The time that requests in flight get to finish after SIGTERM.
    package let drain: Duration
    package let session: Session
    /// How long a curator's claim lasts without renewal.
    package let claim: Duration
    package let review: Review
    package let login: Login
    package let intake: Intake
    package let classifier: Classifier?
    package let tasks: Tasks
    package let webhooks: Webhooks
    package let mail: Mail
    package let media: Media
    package let catalogs: Catalogs
    package let delivery: Delivery
    package let maps: Maps?
    package let log: Log
    /// A `mailto:` or `https:` URL; nil: no security.txt.
    package let securityContact: String?

    /// One per key, in the order of this file.
    package let entries: [Entry]
    /// Warnings about ignored variables, for the log.
    package let warnings: [String]

    init(_ read: SettingsReader) {
        listen = Listen(read)
        metrics = Metrics(read)
        publicURL = Settings.publicURL(read, port: listen.port)
        environment = read.choice(
            "environment", .production,
            "production, development or test; shown on every page. A test deployment sends mail and webhooks only to hosts "
                + "that are allowed, and labels its responses.")
        language = read.text(
            "language", "en", "Language of pages and mails: en, or one with a catalog in messages.dir.")
        packs = read.optionalText(
            "packs", "Enabled packs: places routes lists, or none. Default: none, but all without database.url."
        )?.split { $0 == " " || $0 == "," }.map(String.init)
        directories = Directories(read)
        loops = read.integer("loops", 2, 1...64, "Threads that handle requests.")
        database = Database(read)
        http = HTTP(read)
        limits = Limits(read)
        drain = read.duration(
            "drain_seconds", 25, 0...3600, .second, "Seconds that requests in flight get to finish after SIGTERM.")
        session = Session(read)
        claim = read.duration("claim.minutes", 10, 1...1440, .minute, "Minutes until a claim expires without renewal.")
        review = Review(read)
        login = Login(read)
        intake = Intake(read)
        classifier = Classifier(read, environment)
        tasks = Tasks(read)
        webhooks = Webhooks(read)
        mail = Mail(read)
        media = Media(read)
        catalogs = Catalogs(read)
        delivery = Delivery(read)
        maps = Maps(read)
        log = Log(read)
        securityContact = Self.securityContact(read)
        read.checkNames()
        entries = read.entries
        warnings = read.warnings
    }

    private static func publicURL(_ read: SettingsReader, port: Int) -> String {
        let key = "public.url"
        let given = read.optionalText(key, "Public URL of the deployment. Default: http://127.0.0.1:PORT.")
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
        /// The time after which a pending submission is overdue.
        package let targetHours: Int
        /// The time to undo a decision before its contributor is notified.
        package let undoWindowMinutes: Int
        /// The time between an approval and its publication, in which it can be undone unseen.
        package let publishDelaySeconds: Int
        /// Whether only the assignee may decide an assigned submission.
        package let assignedOnly: Bool
        /// The lifetime of a status page after the latest action.
        package let statusDays: Int

        fileprivate init(_ read: SettingsReader) {
            claimsOnOpen = read.flag("claim.on_open", false, "Claim a submission when it is opened.")
            targetHours = read.integer(
                "review.target_hours", 24, 1...8760, "Hours until a pending submission is overdue.")
            undoWindowMinutes = read.integer(
                "review.undo_window_minutes", 10, 0...10_080,
                "Minutes to undo a decision before the contributor is notified.")
            publishDelaySeconds = read.integer(
                "review.publish_delay_seconds", 0, 0...3600,
                "Seconds between an approval and its publication, in which it can be undone.")
            assignedOnly = read.flag(
                "review.assigned_only", false,
                "Only the assignee, an administrator or an operator can decide assigned submissions.")
            statusDays = read.integer(
                "review.status_days", 365, 1...3650, "Days a status page stays open after the latest action.")
        }
    }

    package struct Listen: Sendable {
        package let host: String
        /// 0 for any free port.
        package let port: Int

        fileprivate init(_ read: SettingsReader) {
            host = read.text("listen.host", "127.0.0.1", "IP address to listen on; 0.0.0.0 for all.")
            port = read.integer("listen.port", 8080, 0...65535, "Port to listen on; 0 for any free port.")
        }
    }

    package struct Metrics: Sendable {
        /// Nil: /metrics is disabled.
        package let token: Secret?

        fileprivate init(_ read: SettingsReader) {
            token = read.secret("metrics.token", "Bearer token for /metrics. Without it, /metrics is disabled.")
        }
    }

    /// Absolute paths. Their users check whether they exist.
    package struct Directories: Sendable {
        package let data: String
        package let templates: String
        package let messages: String
        package let contentTypes: String
        package let demo: String
        package let staticFiles: String

        fileprivate init(_ read: SettingsReader) {
            data = read.location.absolute(read.text("data.dir", ".vitrine", "Folder for the daemon's own files."))
            templates = read.programFiles("templates.dir", "Templates", "Folder of page and mail templates.")
            messages = read.programFiles("messages.dir", "Messages", "Folder of translations.")
            contentTypes = read.programFiles("content_types.dir", "Config/content-types", "Folder of content types.")
            demo = read.programFiles("demo.dir", "Config/demo", "Folder of demo content.")
            staticFiles = read.programFiles(
                "static.dir", "Templates/static", "Folder of style sheets, scripts and icons.")
        }
    }

    package struct Session: Sendable {
        package let idle: Duration
        package let absolute: Duration

        fileprivate init(_ read: SettingsReader) {
            idle = read.duration(
                "session.idle_minutes", 30, 1...10_080, .minute, "Minutes until an unused session ends.")
            absolute = read.duration("session.absolute_hours", 12, 1...720, .hour, "Hours until any session ends.")
        }
    }

    package struct Login: Sendable {
        /// The period in which attempts are counted.
        package static let window: Duration = .seconds(15 * 60)

        package let attemptsPerAccount: Int
        package let attemptsPerIP: Int
        /// Roles that must set up a second factor before anything else. Accounts validates the names.
        package let secondFactorRoles: [String]

        fileprivate init(_ read: SettingsReader) {
            attemptsPerAccount = read.integer(
                "login.attempts_per_account", 10, 1...100_000, "Failed sign-ins per account in 15 minutes.")
            attemptsPerIP = read.integer(
                "login.attempts_per_ip", 50, 1...100_000, "Failed sign-ins per IP address in 15 minutes.")
            let roles = read.optionalText(
                "login.second_factor_roles", "Roles that must set up a second factor, separated by spaces.")
            secondFactorRoles = roles?.split { $0 == " " || $0 == "," }.map(String.init) ?? []
        }
    }

    package struct Intake: Sendable {
        /// Per client; nil for no limit.
        package let ratePerMinute: Int?
        package let isAnonymousAllowed: Bool
        package let formsPerNetwork: Int
        /// Reports per minute: of a client, and of an IP address, whatever the client; 0 for no limit.
        package let reportLimits: (client: Int, network: Int)
        /// What happens to submissions of blocked contributors.
        package let blocked: Blocked

        package enum Blocked: String, Sendable, CaseIterable {
            case refuse, hold
        }

        fileprivate init(_ read: SettingsReader) {
            let rate = read.integer(
                "intake.rate_per_minute", 600_000, 0...100_000_000, "Submissions per client and minute; 0 for no limit."
            )
            ratePerMinute = rate == 0 ? nil : rate
            isAnonymousAllowed = read.flag("intake.anonymous", false, "Accept submissions without a contributor.")
            formsPerNetwork = read.integer(
                "intake.forms_per_network", 30, 1...100_000,
                "How often a network may send submission forms in 15 minutes.")
            let perMinute = read.integer(
                "intake.reports_per_minute", 600, 0...100_000_000, "Reports per client and minute; 0 for no limit.")
            let perNetwork = read.integer(
                "intake.reports_per_network", 600, 0...100_000_000,
                "Reports per IP address and minute; 0 for no limit. Lower it if readers' devices call the API themselves."
            )
            reportLimits = (perMinute, perNetwork)
            blocked = read.choice(
                "intake.blocked", .refuse,
                "refuse or hold: what happens to submissions of blocked contributors. Held ones wait outside of the queue until "
                    + "the block ends.")
        }
    }

    package struct Tasks: Sendable {
        /// The longest wait of a task whose notification was lost.
        package let poll: Duration

        fileprivate init(_ read: SettingsReader) {
            poll = read.duration(
                "tasks.poll_ms", 1000, 10...60_000, .millisecond, "Milliseconds between checks for due tasks.")
        }
    }

    package struct Webhooks: Sendable {
        /// 32 bytes in base64; nil: the file `webhooks.key` in the data folder.
        package let key: Secret?
        package let allowsHTTP: Bool
        package let ports: [String]
        /// Hosts and IP addresses, with or without a port.
        package let allowPrivate: [String]

        fileprivate init(_ read: SettingsReader) {
            key = read.secret("webhooks.key", "Encrypts stored secrets: 32 bytes in base64. Default: a generated file.")
            allowsHTTP = read.flag("webhooks.allow_http", false, "Allow http:// webhook URLs.")
            ports = Self.list(read.text("webhooks.ports", "443", "Allowed ports of webhook URLs; port 80 with http."))
            let list = read.optionalText(
                "webhooks.allow_private",
                "Internal hosts that webhooks may target, such as \"localhost:9000 10.0.0.5\".")
            allowPrivate = Self.list(list ?? "")
        }

        private static func list(_ text: String) -> [String] {
            text.split { $0 == " " || $0 == "," }.map(String.init)
        }
    }

    package struct Log: Sendable {
        package let level: LogLevel
        package let format: LogFormat

        fileprivate init(_ read: SettingsReader) {
            level = read.choice("log.level", .info, "Least severe level that is logged.")
            format = read.choice("log.format", .text, "Format of log lines: text or json.")
        }
    }
}
