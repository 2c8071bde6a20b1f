// The decision forms of the review page, with their choices, submitted values and errors.
import Domain
import HTTP
import Localization
import Operations
import Store

struct ReviewForms: Encodable, Sendable {
    struct Timing: Encodable, Sendable {
        let choices: [Option]
        /// What the role may publish; nil if that is everything.
        let hint: String?
        let isWithoutPublishing: Bool
        let local: String
        let zone: String
        /// Those of the choice.
        let errors: [String]
        let timeErrors: TimeErrors
        /// What the button says for each choice.
        let buttons: [Option]
    }

    struct Rejection: Encodable, Sendable {
        let reasons: [Option]
        let message: String
        let isOpen: Bool
        let reasonErrors: [String]
        let messageErrors: [String]
        var mail: MailPreview?
    }

    struct RequestChanges: Encodable, Sendable {
        let message: String
        let isOpen: Bool
        let errors: [String]
        /// The fields that the contributor fills in.
        let notes: [Note]
        let hasNotes: Bool
        var mail: MailPreview?
    }

    struct Note: Encodable, Sendable {
        let id: String
        let name: String
        let label: String
        let value: String
        let errors: [String]
    }

    struct Duplicate: Encodable, Sendable {
        struct Found: Encodable, Sendable {
            let value: String
            let title: String
            let about: String
            let url: String
            let isChosen: Bool
        }

        let q: String
        let url: String
        let results: [Found]
        /// The search found nothing.
        let hasNoResults: Bool
        let isOpen: Bool
        let errors: [String]
    }

    /// The HTML id of the approval form.
    private static let approveID = "approve"

    let url: String
    let version: Int
    /// Whether there is a form to approve it.
    let approves: Bool
    /// Whether that includes one to edit the content.
    let edits: Bool
    /// Whether there are forms for the other decisions.
    let decides: Bool
    var fields: FieldForm
    let placement: FieldForm
    /// Whether the type has feeds to choose.
    let hasFeeds: Bool
    let isEditing: Bool
    let publishTiming: Timing
    /// Into which category groups the person can approve it; nil unless that depends on the group.
    let groupHint: String?
    var rejection: Rejection
    /// Nil if changes have already been requested.
    var requestChanges: RequestChanges?
    let duplicate: Duplicate
    let takesOver: Bool
    let autosaves: ReviewAutosaves

    /// Nil if all of them would be refused. A form that somebody has typed into stays in any case.
    init?(
        _ request: AdminRequest, _ submission: SubmissionRow, _ type: ContentType, _ choices: FieldChoices,
        _ permissions: ReviewPermissions, url: String, submitted: DecisionForm?, typed: [DecisionForm],
        errors: FieldErrors, takesOver: Bool, originals: [OriginalRow] = []
    ) {
        let approval = typed.first { $0.verdict == .approve }
        approves = permissions.approval == nil || approval != nil
        edits = permissions.mayEdit || approval?.isUnedited == false
        decides = permissions.decision == nil || typed.contains { $0.verdict != .approve }
        if !approves, !decides { return nil }
        self.url = url
        self.takesOver = takesOver
        autosaves = ReviewAutosaves(request, submission.id)
        version = typed.first.flatMap { $0.form.first("version").flatMap(Int.init) } ?? submission.version
        func form(_ verdict: Verdict) -> DecisionForm? { typed.first { $0.verdict == verdict } }
        func errorsOf(_ verdict: Verdict) -> FieldErrors { submitted?.verdict == verdict ? errors : FieldErrors() }
        let (approved, rejected, changesRequested) = (form(.approve), form(.reject), form(.requestChanges))
        duplicate = Self.duplicate(form(.duplicate), originals, request, errorsOf(.duplicate))
        let suggested = Self.suggested(submission, type, choices)
        func fieldForm(_ isShown: (Field) -> Bool) -> FieldForm {
            if let approved {
                return FieldForm(
                    type, typed: approved.form, errors: errorsOf(.approve), choices: choices, touched: approved.touched,
                    only: isShown)
            }
            return FieldForm(type, values: suggested, choices: choices, only: isShown)
        }
        var content = fieldForm { !DecisionForm.isPlacement($0) }
        // These fields are below the content, outside the form element that submits them.
        content.form = Self.approveID
        fields = content
        placement = fieldForm(DecisionForm.isPlacement)
        hasFeeds = type.field("feeds") != nil
        isEditing = approved != nil
        groupHint = permissions.groupHint
        publishTiming = Self.publishTiming(
            request, type, choices, approved, errorsOf(.approve), feeds: suggested["feeds"]?.arrayValue ?? [],
            isPartial: permissions.isPartialApproval)
        rejection = Rejection(
            reasons: RejectReason.allCases.map {
                Option(value: $0.rawValue, label: $0.label, isChosen: $0.rawValue == rejected?.reason)
            },
            message: rejected?.message ?? "", isOpen: rejected != nil,
            reasonErrors: errorsOf(.reject).messages(at: "/reason"),
            messageErrors: errorsOf(.reject).messages(at: "/message"))
        let mayRequestChanges = Decision.verdicts(in: submission.state).contains(.requestChanges)
        requestChanges =
            mayRequestChanges
            ? Self.requestChanges(changesRequested, type, errorsOf(.requestChanges)) : nil
    }

    /// What the contributor gets, below the forms that it depends on; nil without an email address.
    mutating func showMails(to mails: MailPreview.Pair?) {
        rejection.mail = mails?.rejected.filled(
            reason: rejection.reasons.first(where: \.isChosen)?.value, message: rejection.message)
        let message = requestChanges?.message ?? ""
        requestChanges?.mail = mails?.changesRequested.filled(reason: nil, message: message)
    }

    private static func requestChanges(
        _ typed: DecisionForm?, _ type: ContentType, _ errors: FieldErrors
    ) -> RequestChanges {
        let texts = typed?.fieldNotes ?? [:]
        return RequestChanges(
            message: typed?.message ?? "", isOpen: typed != nil, errors: errors.messages(at: "/message"),
            notes: type.contributorFields.map { field in
                Note(
                    id: "field-note-\(field.name)", name: DecisionForm.notePrefix + field.name, label: field.label,
                    value: texts[field.name] ?? "",
                    errors: errors.messages(at: "/field_notes" + FieldErrors.step(field.name)))
            },
            hasNotes: !texts.isEmpty)
    }

    /// The HTML ids of controls that don't follow from the pointers of their errors.
    static func ids(for verdict: Verdict?) -> [String: String] {
        [
            "/message": verdict == .requestChanges ? "request-changes-message" : "reject-message",
            "/publish/local": "local",
            "/publish/zone": "zone", "/duplicate_of": "original",
        ]
    }

    private static func duplicate(
        _ typed: DecisionForm?, _ originals: [OriginalRow], _ request: AdminRequest, _ errors: FieldErrors
    ) -> Duplicate {
        let selected = typed?.form.first("original") ?? ""
        let results = originals.map { row in
            let id = SimilarPanel.id(of: row.original)
            let type = request.context.rules.types[row.type]?.label ?? row.type
            return Duplicate.Found(
                value: id, title: row.title.isEmpty ? tr("Untitled", context: "found") : row.title,
                about: "\(type), \(row.original.entry == nil ? "pending" : "published")",
                url: SimilarPanel.url(of: row.original),
                isChosen: id == selected)
        }
        return Duplicate(
            q: typed?.originalQuery ?? "", url: typed?.form.first("original_url") ?? "", results: results,
            hasNoResults: typed?.isSearch == true && results.isEmpty, isOpen: typed != nil,
            errors: typed == nil ? [] : errors.messages(at: "/duplicate_of"))
    }

    /// The submitted fields, completed with the category that matches the requested one and the feed if there is only one.
    private static func suggested(
        _ submission: SubmissionRow, _ type: ContentType, _ choices: FieldChoices
    ) -> [String: JSONValue] {
        var values = submission.fields
        if values["categories"] == nil, let requested = submission.requestedCategory,
            let field = type.field("categories")
        {
            let match = CategoryDirectory(offered(field, choices)).names().find(requested).only
            values["categories"] = match.map { .array([.string($0.description)]) }
        }
        if values["feeds"] == nil, let field = type.field("feeds") {
            let feeds = offered(field, choices)
            if feeds.count == 1 { values["feeds"] = .array([.string(feeds[0].id.description)]) }
        }
        return values
    }

    private static func offered(_ field: Field, _ choices: FieldChoices) -> [EntryChoice] {
        (choices.groups(for: field) ?? []).flatMap(\.choices)
    }

    static func publishTiming(
        _ request: AdminRequest, _ type: ContentType, _ choices: FieldChoices, _ typed: DecisionForm?,
        _ errors: FieldErrors, feeds suggested: [JSONValue] = [], isPartial: Bool = false
    ) -> Timing {
        let mayPublish = PublishTiming.now.isAllowed(for: request.actor)
        let feeds = type.field("feeds").map { offered($0, choices) } ?? []
        let open = feeds.filter(\.publishesOnApproval)
        let maySchedule = mayPublish || !open.isEmpty
        var options = [("none", PublishTiming.approveOnlyLabel(for: request.actor))]
        if maySchedule {
            options = [("now", tr("Now", context: "found")), ("at", tr("Schedule", context: "found"))] + options
        }
        // What this person may do with the suggested feeds.
        let openIDs = Set(open.map(\.id.description))
        let mayPublishNow =
            mayPublish || !suggested.isEmpty && suggested.allSatisfy { openIDs.contains($0.stringValue ?? "") }
        let selected = typed?.publish ?? (mayPublishNow ? "now" : "none")
        let zone = typed?.zone ?? request.zone
        return Timing(
            choices: Option.list(options, chosen: selected),
            hint: hint(request, feeds: feeds, open: open), isWithoutPublishing: selected == "none",
            local: typed?.local ?? "", zone: zone,
            errors: errors.messages(at: "/publish"), timeErrors: TimeErrors(errors, hasChoice: true),
            buttons: Option.list(
                options.map { ($0.0, button($0.0, request.actor, isPartial: isPartial)) },
                chosen: options.contains { $0.0 == selected } ? selected : "none"))
    }

    /// What happens on a press, by the chosen time. An approval that others must follow only counts.
    private static func button(_ timing: String, _ actor: Actor, isPartial: Bool) -> String {
        switch timing {
        case _ where isPartial: tr("Approve", context: "found")
        case "now": tr("Approve and publish")
        case "at": tr("Approve and schedule")
        default: actor.may(.approve) ? tr("Approve", context: "found") : tr("Approve and send to an editor")
        }
    }

    private static func hint(_ request: AdminRequest, feeds: [EntryChoice], open: [EntryChoice]) -> String? {
        if PublishTiming.now.isAllowed(for: request.actor) { return nil }
        let role = request.session?.role.labelInText ?? "reader"
        let otherwise =
            request.actor.may(.approve) ? tr("a publisher must publish it") : tr("an editor must approve it")
        if open.isEmpty { return tr("Your role (\(role)) may not publish into any feed: \(otherwise).") }
        if open.count == feeds.count {
            return tr("Your role (\(role)) may publish into all feeds. Without a feed, \(otherwise).")
        }
        let names = open.prefix(5).map(\.title).joined(separator: ", ") + (open.count > 5 ? tr(" and others") : "")
        return tr("Your role (\(role)) may publish into \(names). For other feeds or none, \(otherwise).")
    }
}
