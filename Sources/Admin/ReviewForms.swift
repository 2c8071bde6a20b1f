// The decision forms of the review page: what is offered, what was typed, what is wrong.
import Domain
import HTTP
import Store

struct ReviewForms: Encodable, Sendable {
    struct Choice: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    struct When: Encodable, Sendable {
        let choices: [Choice]
        /// What the role may and may not do here, in words.
        let sentence: String
        let local: String
        let zone: String
        let zones: [String]
        let errors: [String]
    }

    struct Rejection: Encodable, Sendable {
        let reasons: [Choice]
        let message: String
        let isOpen: Bool
        let reasonErrors: [String]
        let messageErrors: [String]
    }

    struct RequestChanges: Encodable, Sendable {
        let message: String
        let isOpen: Bool
        let errors: [String]
    }

    struct Duplicate: Encodable, Sendable {
        struct Found: Encodable, Sendable {
            let value: String
            let title: String
            let about: String
            let address: String
            let isChosen: Bool
        }

        let words: String
        let address: String
        let found: [Found]
        /// It was looked for, in vain.
        let isNothing: Bool
        let isOpen: Bool
        let errors: [String]
    }

    /// The id of the form that accepts.
    private static let approveID = "approve"
    static let zoneCookie = "__Host-vitrine_zone"
    private static let usualZones = [
        "UTC", "Europe/London", "Europe/Berlin", "Europe/Paris", "Europe/Warsaw", "Europe/Kyiv", "America/New_York",
        "America/Chicago", "America/Los_Angeles", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Singapore", "Asia/Tokyo",
        "Australia/Sydney",
    ]

    let address: String
    let version: Int
    let fields: FieldForm
    let placing: FieldForm
    let isEditing: Bool
    let when: When
    let rejection: Rejection
    /// Nil where changes were asked for already.
    let requestChanges: RequestChanges?
    let duplicate: Duplicate
    let takesOver: Bool

    init(
        _ request: AdminRequest, _ submission: SubmissionRow, _ type: ContentType, _ choices: FieldChoices,
        address: String, typed: DecisionForm?, errors: FieldErrors, takesOver: Bool, originals: [OriginalRow] = []
    ) {
        self.address = address
        self.takesOver = takesOver
        version = typed.flatMap { $0.form.first("version").flatMap(Int.init) } ?? submission.version
        let approved = typed.flatMap { $0.verdict == .approve ? $0 : nil }
        let rejected = typed.flatMap { $0.verdict == .reject ? $0 : nil }
        let returned = typed.flatMap { $0.verdict == .requestChanges ? $0 : nil }
        duplicate = Self.duplicate(typed.flatMap { $0.verdict == .duplicate ? $0 : nil }, originals, request, errors)
        let suggested = Self.suggested(submission, type, choices)
        func form(_ isShown: (Field) -> Bool) -> FieldForm {
            if let approved {
                return FieldForm(
                    type, typed: approved.form, errors: errors, choices: choices, touched: approved.touched,
                    only: isShown)
            }
            return FieldForm(type, values: suggested, choices: choices, only: isShown)
        }
        var texts = form { !DecisionForm.isPlacing($0) }
        // They stand under the content, away from the button that sends them.
        texts.form = Self.approveID
        fields = texts
        placing = form(DecisionForm.isPlacing)
        isEditing = approved != nil
        when = Self.when(request, type, choices, approved, errors)
        rejection = Rejection(
            reasons: RejectReason.allCases.map {
                Choice(value: $0.rawValue, label: $0.label, isChosen: $0.rawValue == rejected?.reason)
            },
            message: rejected?.message ?? "", isOpen: rejected != nil,
            reasonErrors: rejected == nil ? [] : errors.messages(at: "/reason"),
            messageErrors: rejected == nil ? [] : errors.messages(at: "/message"))
        let mayRequestChanges = Decision.verdicts(in: submission.state).contains(.requestChanges)
        requestChanges =
            mayRequestChanges
            ? RequestChanges(
                message: returned?.message ?? "", isOpen: returned != nil,
                errors: returned == nil ? [] : errors.messages(at: "/message"))
            : nil
    }

    /// The ids of the message fields, which each form has one of.
    static func ids(for verdict: Verdict?) -> [String: String] {
        [
            "/message": verdict == .requestChanges ? "return-message" : "reject-message", "/publish_timing/local": "local",
            "/publish_timing/zone": "zone", "/duplicate_of": "original",
        ]
    }

    private static func duplicate(
        _ typed: DecisionForm?, _ originals: [OriginalRow], _ request: AdminRequest, _ errors: FieldErrors
    ) -> Duplicate {
        let chosen = typed?.form.first("original") ?? ""
        let found = originals.map { row in
            let (id, path) =
                switch row.original {
                case .entry(let id): (id.description, "/entries/")
                case .submission(let id): (id.description, "/queue/")
                }
            let type = request.context.rules.types[row.type]?.label ?? row.type
            return Duplicate.Found(
                value: id, title: row.title.isEmpty ? "Without a title" : row.title,
                about: "\(type), \(row.original.entry == nil ? "waits in the queue" : "live")", address: path + id,
                isChosen: id == chosen)
        }
        return Duplicate(
            words: typed?.originalWords ?? "", address: typed?.form.first("original_address") ?? "", found: found,
            isNothing: typed?.finds == true && found.isEmpty, isOpen: typed != nil,
            errors: typed == nil ? [] : errors.messages(at: "/duplicate_of"))
    }

    /// What was sent in, else the wished category where there is one of that name, and the only feed there is.
    private static func suggested(
        _ submission: SubmissionRow, _ type: ContentType, _ choices: FieldChoices
    ) -> [String: JSONValue] {
        var values = submission.fields
        if values["categories"] == nil, let requested = submission.requestedCategory, let field = type.field("categories") {
            let match = CategoryDirectory(offered(field, choices)).meant(by: requested)
            values["categories"] = match.map { .array([.string($0.id.description)]) }
        }
        if values["feeds"] == nil, let field = type.field("feeds") {
            let feeds = offered(field, choices)
            if feeds.count == 1 { values["feeds"] = .array([.string(feeds[0].id.description)]) }
        }
        return values
    }

    /// Into which it would be accepted as it came.
    static func suggestedCategories(
        _ submission: SubmissionRow, _ type: ContentType, _ choices: FieldChoices
    ) -> [ID<Entry>] {
        let named = (suggested(submission, type, choices)["categories"]?.arrayValue ?? []).compactMap {
            $0.stringValue.flatMap { ID<Entry>($0) }
        }
        return named.isEmpty ? [SeedEntry.unsorted] : named
    }

    private static func offered(_ field: Field, _ choices: FieldChoices) -> [EntryChoice] {
        (choices.groups(for: field) ?? []).flatMap(\.choices)
    }

    static func when(
        _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, _ typed: DecisionForm?,
        _ errors: FieldErrors
    ) -> When {
        let mayPublish = request.actor.may(.publish)
        let feeds = type.field("feeds").map { offered($0, choices) } ?? []
        let open = feeds.filter { $0.content["publish_on_approval"] != .bool(false) }
        let maySchedule = mayPublish || !open.isEmpty
        let later = request.actor.may(.approve) ? "Approve only" : "Hand it to an editor"
        var offers = [("approve-only", later)]
        if maySchedule { offers = [("now", "Now"), ("at", "At a time")] + offers }
        let chosen = typed?.publishTiming ?? offers[0].0
        let zone = typed?.zone ?? request.request.cookies[zoneCookie] ?? "UTC"
        return When(
            choices: offers.map { Choice(value: $0.0, label: $0.1, isChosen: $0.0 == chosen) },
            sentence: sentence(request, feeds: feeds, open: open), local: typed?.local ?? "", zone: zone,
            zones: usualZones,
            errors: errors.items.filter { $0.pointer.hasPrefix("/publish_timing") || $0.pointer == "/zone" }.map(\.message))
    }

    private static func sentence(_ request: AdminRequest, feeds: [EntryChoice], open: [EntryChoice]) -> String {
        if request.actor.may(.publish) { return "Approve only: it waits until somebody publishes what is ready." }
        let role = request.session?.role.label.lowercased() ?? "reader"
        let rest = request.actor.may(.approve) ? "you may approve, and a publisher publishes" : "an editor decides"
        if open.isEmpty { return "As \(role) you may not publish into any feed: \(rest)." }
        if open.count == feeds.count {
            return "As \(role) you may publish into all feeds; without a feed, \(rest)."
        }
        let names = open.prefix(5).map(\.title).joined(separator: ", ") + (open.count > 5 ? " and others" : "")
        return "As \(role) you may publish into \(names); for other feeds, or none, \(rest)."
    }
}
