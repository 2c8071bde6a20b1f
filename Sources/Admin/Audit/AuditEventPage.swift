// One audit event: actor, time, IP address, object, and the values before and after.
import Domain
import HTTP
import Localization
import Store

enum AuditEventPage {
    private struct Detail: Encodable, Sendable {
        let label: String
        let text: String
        /// Whether it is no simple value, so that the page shows it on request.
        let isFolded: Bool
    }

    private struct Edit: Encodable, Sendable {
        let label: String
        let runs: [DiffTable.Run]
        let isFolded: Bool
    }

    /// The most values of an object that are shown one by one; one with more stays whole.
    private static let shownValues = 30

    private struct Model: Encodable, Sendable {
        let event: AuditRow
        let text: String
        /// The label of the actor's role.
        let role: String?
        let url: String?
        let details: [Detail]
        let changes: [Edit]
        let table: DiffTable?
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        guard let id = request.parameters["id"].flatMap({ Int64($0) }),
            let row = try await request.database.auditTrail.find(id)
        else { throw Failure.missing("event") }
        let detail = row.detail.objectValue ?? [:]
        let text = try await request.database.activity.events([id]).first.map { AuditSentence.text($0) } ?? row.action
        let model = Model(
            event: row, text: text, role: try await label(of: row.role, request), url: url(row),
            details: details(detail), changes: changes(detail), table: try await versions(row, detail, request))
        return try request.page("admin/audit/event", model, title: text)
    }

    /// The label of a role; its name if it was deleted.
    private static func label(of role: String?, _ request: AdminRequest) async throws -> String? {
        guard let role else { return nil }
        return try await request.database.roles.find(role)?.label ?? role
    }

    /// A one-line summary for the list.
    static func summary(_ detail: JSONValue) -> String {
        let detail = detail.objectValue ?? [:]
        let edited = changes(detail).isEmpty ? [] : [tr("Before and after")]
        let texts = details(detail).filter { !$0.isFolded }.prefix(3).map { "\($0.label): \($0.text)" }
        let text = (texts + edited).joined(separator: " · ")
        return text.count > 120 ? String(text.prefix(119)) + "…" : text
    }

    /// Values before and after: `from` and `to`, or the members of `before` and `after` by name.
    private static func changes(_ detail: [String: JSONValue]) -> [Edit] {
        var pairs: [(String, JSONValue, JSONValue)] = []
        if let from = detail["from"], let to = detail["to"] { pairs.append(("state", from, to)) }
        if let before = detail["before"]?.objectValue, let after = detail["after"]?.objectValue {
            for name in Set(before.keys).union(after.keys).sorted() {
                var (old, new) = (values(of: name, before[name]), values(of: name, after[name]))
                if max(old.count, new.count) > shownValues {
                    (old, new) = ([name: before[name] ?? .null], [name: after[name] ?? .null])
                }
                for name in Set(old.keys).union(new.keys).sorted() {
                    pairs.append((name, old[name] ?? .null, new[name] ?? .null))
                }
            }
        }
        return pairs.filter { $0.1 != $0.2 }.map { name, old, new in
            let (before, after) = (text(old), text(new))
            var runs: [DiffTable.Run] = []
            if !before.isEmpty { runs.append(DiffTable.Run(text: before, isAdded: false, isRemoved: true)) }
            if !after.isEmpty { runs.append(DiffTable.Run(text: after, isAdded: true, isRemoved: false)) }
            return Edit(label: label(name), runs: runs, isFolded: !isSimple(old) || !isSimple(new))
        }
    }

    private static func details(_ detail: [String: JSONValue]) -> [Detail] {
        var paired: Set<String> = []
        if detail["from"] != nil, detail["to"] != nil { paired = ["from", "to"] }
        if detail["before"]?.objectValue != nil, detail["after"]?.objectValue != nil {
            paired.formUnion(["before", "after"])
        }
        var found: [Detail] = []
        for name in detail.keys.sorted() where !paired.contains(name) {
            var shown = values(of: name, detail[name])
            if shown.count > shownValues { shown = [name: detail[name] ?? .null] }
            for (name, value) in shown.sorted(by: { $0.key < $1.key }) {
                found.append(Detail(label: label(name), text: text(value), isFolded: !isSimple(value)))
            }
        }
        return found
    }

    /// The values of an object, by its name and theirs, such as `limits per_minute`.
    private static func values(of name: String, _ value: JSONValue?) -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        func collect(_ name: String, _ value: JSONValue) {
            if let members = value.objectValue {
                for (member, value) in members { collect("\(name) \(member)", value) }
            } else {
                found[name] = value
            }
        }
        guard let value else { return [:] }
        collect(name, value)
        return found
    }

    private static func label(_ name: String) -> String {
        let label = name.replacing("_", with: " ")
        return label.prefix(1).uppercased() + label.dropFirst()
    }

    /// A text, a number or the like, or a list of them.
    private static func isSimple(_ value: JSONValue) -> Bool {
        switch value {
        case .object: false
        case .array(let values): values.allSatisfy { $0.objectValue == nil && $0.arrayValue == nil }
        case .null, .bool, .int, .double, .string: true
        }
    }

    private static func text(_ value: JSONValue) -> String {
        guard isSimple(value) else { return value.readable }
        return switch value {
        case .null: ""
        case .string(let text): text
        case .array(let values): values.map { text($0) }.joined(separator: ", ")
        default: value.canonicalText
        }
    }

    /// For an edit of an entry: the version that it was based on, compared with the version that it created.
    private static func versions(
        _ row: AuditRow, _ detail: [String: JSONValue], _ request: AdminRequest
    ) async throws -> DiffTable? {
        guard row.objectType == "entry", let entry = row.objectID.flatMap({ ID<Entry>($0) }) else { return nil }
        let base = detail["base"]?.integerValue ?? detail["revision"]?.integerValue.map { $0 - 1 }
        guard let base, base > 0, let found = try await request.database.entries.find(entry) else { return nil }
        let revisions = request.database.revisions
        guard let old = try await revisions.find(entry, number: Int(base)),
            let new = try await revisions.find(entry, number: Int(base) + 1)
        else { return nil }
        let type = try request.context.rules.type(named: found.type)
        let names = try await EntryTitles.load([old.content, new.content], of: type, request.database)
        let comparing = names.comparing(on: request)
        return try await request.rendering([old.content, new.content]) {
            DiffTable(from: old, to: new, type, comparing)
        }
    }

    /// The page of the object; nil if it has none.
    private static func url(_ row: AuditRow) -> String? {
        guard let id = row.objectID else { return nil }
        return switch row.objectType {
        case "entry", "feed", "category": AdminURL.entry(id)
        case "submission": AdminURL.submission(id)
        case "account": AdminURL.account(id)
        case "role": AdminURL.role(id)
        case "client": AdminURL.client(id)
        case "release": AdminURL.release(id)
        case "webhook": AdminURL.webhook(id)
        case "media": AdminURL.image(id)
        case "external_image": AdminURL.externalImages()
        default: nil
        }
    }
}
