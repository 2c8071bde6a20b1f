// What a curator typed into one of the decision forms, and the decision that it means.
import Domain
import HTTP
import Store

struct DecisionForm: Sendable {
    /// As typed.
    let form: FormFields
    let verdict: Verdict?
    /// The row that a button moved or added: then nothing is decided, and the page is shown again.
    let touched: RowEdit.Touched?

    init(_ form: FormFields, _ type: ContentType) {
        let action = RowEdit(form, type)?.applied(to: form)
        self.form = action?.form ?? form
        touched = action?.touched
        // Rows stand in the form that accepts.
        verdict = action == nil ? form.first("verdict").flatMap(Verdict.init) : .approve
    }

    /// Fields that place an entry: shown beside the decision, not among the texts.
    static func isPlacing(_ field: Field) -> Bool {
        field.name == "feeds" || field.name == "categories"
    }

    var publishTiming: String { form.first("publish_timing") ?? "" }
    var local: String { PlainText.singleLine(form.first("local") ?? "") }
    var zone: String { PlainText.singleLine(form.first("zone") ?? "") }
    var reason: String { form.first("reason") ?? "" }
    var message: String { (form.first("message") ?? "").replacing("\r\n", with: "\n") }
    /// The words by which the original of a duplicate is looked for.
    var originalWords: String { PlainText.singleLine(form.first("original_words") ?? "") }
    /// What was ticked, else what was typed: an id, or an address that ends in one.
    var originalText: String {
        let typed = PlainText.singleLine(form.first("original_address") ?? "")
        return typed.isEmpty ? form.first("original") ?? "" : typed
    }
    /// A button that looks for originals: nothing is decided, and the page is shown again.
    var finds: Bool { form.contains("find") }
    /// The curator was told that someone else looks at it, and decides all the same.
    var takesOver: Bool { form.first("take_over") == "1" }

    /// The draft, or everything that is wrong at once: fields, time, reason and message.
    func draft(
        of submission: SubmissionRow, as type: ContentType, rules: ContentRules, _ database: Database
    ) async throws -> Decision.Draft {
        guard let verdict else {
            throw Failure.invalid(FieldErrors("/verdict", "choice", "Choose what to decide."))
        }
        var errors = FieldErrors()
        var draft = Decision.Draft(verdict: verdict, message: message.isEmpty ? nil : message)
        if verdict == .reject, !reason.isEmpty {
            draft.reason = RejectReason(rawValue: reason)
            if draft.reason == nil { errors.add("/reason", "choice", "Choose one of the reasons.") }
        }
        if verdict == .duplicate { draft.original = try await readOriginal(database, &errors) }
        if verdict == .approve { try await readAcceptance(into: &draft, submission, type, rules, database, &errors) }
        try errors.throwIfAny()
        try draft.check(on: submission.state)
        return draft
    }

    private func readOriginal(_ database: Database, _ errors: inout FieldErrors) async throws -> Original? {
        if originalText.isEmpty { return nil }
        // The id stands at the end of the path of an address.
        let path = originalText.prefix { $0 != "?" && $0 != "#" }
        let steps = path.split(separator: "/").compactMap { ID<Entry>(String($0)) }
        if let id = steps.first, let found = try await database.originals.find(id.uuid) { return found.original }
        errors.add("/duplicate_of", "reference", "There is no submission and no entry with this id or address.")
        return nil
    }

    private func readAcceptance(
        into draft: inout Decision.Draft, _ submission: SubmissionRow, _ type: ContentType, _ rules: ContentRules,
        _ database: Database, _ errors: inout FieldErrors
    ) async throws {
        let values = FieldForm.values(type, from: form)
        do {
            let content = try rules.check(values, as: type, for: .revision)
            draft.feeds = Self.ids(content.fields["feeds"])
            draft.categories = Self.ids(content.fields["categories"])
            // Whoever changes nothing is not the author: the texts must be those that were sent in.
            if !Self.isSame(content, submission, type, rules) { draft.edits = values }
        } catch .invalid(let found) {
            errors.add(found)
        }
        do {
            draft.publishTiming = try await readPublishTiming(database)
        } catch Failure.invalid(let found) {
            errors.add(found)
        }
    }

    /// The decision that the page of a batch says: the same for many, so that feeds and categories are those of its form.
    func draft(forMany type: ContentType?, _ database: Database) async throws -> Decision.Draft {
        guard let verdict else { throw Failure.invalid(FieldErrors("/verdict", "choice", "Choose what to decide.")) }
        var draft = Decision.Draft(verdict: verdict, message: message.isEmpty ? nil : message)
        if verdict == .reject { draft.reason = RejectReason(rawValue: reason) }
        if verdict == .approve {
            if let type {
                let values = FieldForm.values(type, from: form)
                draft.feeds = Self.ids(values["feeds"])
                draft.categories = Self.ids(values["categories"])
            }
            draft.publishTiming = try await readPublishTiming(database)
        }
        try draft.check(on: .pending)
        return draft
    }

    private static func ids(_ value: JSONValue?) -> [ID<Entry>] {
        (value?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(ID<Entry>.init) }
    }

    private static func isSame(
        _ content: Content, _ submission: SubmissionRow, _ type: ContentType, _ rules: ContentRules
    ) -> Bool {
        guard let sent = try? rules.check(submission.fields, as: type, for: .revision) else { return false }
        return type.fields.allSatisfy { field in
            // A feed or category that was sent in and is not ticked any more is a change.
            let isPlaced = isPlacing(field) && sent.fields[field.name] == nil
            return isPlaced || content.fields[field.name] == sent.fields[field.name]
        }
    }

    private func readPublishTiming(_ database: Database) async throws -> PublishTiming {
        switch publishTiming {
        case "now": return .now
        case "approve-only": return .approveOnly
        case "at":
            let time = try WallTime(local: local, zone: zone, pointer: "/publish_timing")
            if try await database.releases.instant(of: time).isPast {
                let sentence = "This time has passed in \(zone). Choose a later one, or now."
                throw Failure.invalid(FieldErrors("/publish_timing/local", "past", sentence))
            }
            return .at(time)
        default:
            throw Failure.invalid(FieldErrors("/publish_timing", "required", "Choose when it goes live."))
        }
    }
}
