// The settings that apps and the server follow: a form for each group, saved as a whole.
import Domain
import HTTP
import Localization
import Operations
import Store

package enum SettingPages {
    /// The fields of the form of a group: `was.ID` (the value when the page was rendered) and `value.ID` for each
    /// setting, and the button `action` (now or draft).
    private static let was = "was."
    private static let value = "value."

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let key: String
        let help: String
        let status: ValueForm.Status?
        let was: String
        /// The choices; nil if the value is typed.
        let menu: [Option]?
        let text: String
        let isNumber: Bool
        let problems: [String]
    }

    private struct Group: Encodable, Sendable {
        let id: String
        let title: String
        let lines: [Line]
        /// Whether publishing also publishes values that were saved as drafts.
        let hasDrafts: Bool
        let autosave: Autosaved?
    }

    private struct List: Encodable, Sendable {
        let groups: [Group]
        let hasSeveral: Bool
        let query: String
        let isFiltered: Bool
        let problem: ErrorSummary?
        let maySave: Bool
        let mayCreate: Bool
        let mayPublish: Bool
    }

    /// A search finds whole groups, so that the form of a group is always the same. `errors` are those of the submitted
    /// one, at `/ID` of a setting, which is also the id of its control.
    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        var request = request
        let settings = try await request.database.entries.choices(.setting)
        let sections = Dictionary(grouping: settings) { $0.content["section"]?.stringValue ?? "" }
        let names = sections.keys.sorted()
        let maySave = request.actor.may(.suggest, on: "setting")
        let forms = names.map { (form: form(of: $0), title: tr("Settings: \($0)", context: "autosave")) }
        let autosaves = try await ValueForm.Autosaves.load(&request, maySave ? forms : [])
        let query = request.query.first("q").map { PlainText.singleLine($0) } ?? ""
        let sent = errors.isEmpty ? nil : request.form
        let groups = names.compactMap { name -> Group? in
            guard let settings = sections[name], settings.contains(where: { matches($0, query) }) else { return nil }
            let url = form(of: name)
            let typed = autosaves.typed(url)
            return Group(
                id: id(of: name), title: name,
                lines: settings.map { setting in
                    let isSent = sent?.contains(value + setting.id.description) ?? false
                    return line(setting, typed: isSent ? sent : typed, errors.messages(at: "/\(setting.id)"))
                },
                hasDrafts: settings.contains { $0.isLive && !$0.isCurrent }, autosave: autosaves.autosave(url))
        }
        let model = List(
            groups: groups, hasSeveral: groups.count > 1, query: query, isFiltered: !query.isEmpty,
            problem: ErrorSummary(named(errors, settings)), maySave: maySave,
            mayCreate: request.actor.may(.edit, on: "setting"), mayPublish: request.actor.may(.publish, on: "setting"))
        return try request.page(
            "admin/settings/list", model, title: tr("Settings", context: "list"), status: errors.status)
    }

    /// In the summary, messages name their settings.
    private static func named(_ errors: FieldErrors, _ settings: [EntryChoice]) -> FieldErrors {
        var named = FieldErrors()
        for item in errors.items {
            let setting = settings.first { item.pointer == "/\($0.id)" }
            let message = setting.map { tr("\($0.title): \(item.message)", context: "settings") } ?? item.message
            named.add(item.pointer, item.code, message)
        }
        return named
    }

    /// Whether all words of the query are in its group, title, key or help.
    private static func matches(_ setting: EntryChoice, _ query: String) -> Bool {
        let texts = ["section", "key"].map { setting.content[$0]?.stringValue ?? "" } + [setting.title, help(setting)]
        let text = texts.joined(separator: "\n").lowercased()
        return query.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }

    /// The id of a group on the page: its name without characters that URLs would escape.
    private static func id(of section: String) -> String {
        "group-" + PercentCoding.encode(section).replacing("%", with: ".")
    }

    /// The URL that opens the form of a group.
    private static func form(of section: String) -> String { AdminURL.settings() + "#" + id(of: section) }

    /// `typed`: what is shown over the stored value, if it changes this setting. The others of a group show what is
    /// stored by now, perhaps by somebody else.
    private static func line(_ setting: EntryChoice, typed: FormFields?, _ problems: [String]) -> Line {
        func text(_ name: String) -> String { setting.content[name]?.stringValue ?? "" }
        func typedText(_ name: String) -> String? {
            typed.flatMap { ValueForm.lines(name + setting.id.description, in: $0) }
        }
        let kind = SettingRule.Kind(rawValue: text("kind")) ?? .text
        let (old, new) = (typedText(was), typedText(value))
        let isChanged = old != new
        let shown = (isChanged ? new : nil) ?? text("value")
        return Line(
            id: setting.id, title: setting.title, key: text("key"), help: help(setting),
            status: ValueForm.Status(setting), was: (isChanged ? old : nil) ?? text("value"),
            menu: menu(of: setting, shown),
            text: shown, isNumber: kind == .integer || kind == .number, problems: problems)
    }

    /// The choices of a setting with the value that is shown; nil if the value is typed.
    package static func menu(of setting: EntryChoice, _ shown: String) -> [Option]? {
        let choices: [(String, String)]
        switch setting.content["kind"]?.stringValue.flatMap(SettingRule.Kind.init(rawValue:)) {
        case .boolean: choices = [("true", tr("Yes", context: "list")), ("false", tr("No", context: "list"))]
        case .choice: choices = SettingRule.lines(setting.content["choices"]?.stringValue ?? "").map { ($0, $0) }
        default: return nil
        }
        let isKnown = choices.contains { $0.0 == shown }
        return Option.list(isKnown ? choices : choices + [(shown, shown)], chosen: shown)
    }

    /// The help text with the limits of a number.
    package static func help(_ setting: EntryChoice) -> String {
        let help = setting.content["help"]?.stringValue ?? ""
        let limits = [("minimum", tr("At least")), ("maximum", tr("at most"))].compactMap { name, label in
            setting.content[name].flatMap { $0 == .null ? nil : "\(label) \($0.canonicalText)" }
        }
        let isList = setting.content["kind"] == "list"
        let sentences = [
            help, limits.isEmpty ? "" : limits.joined(separator: ", ") + ".", isList ? "One per line." : "",
        ]
        return sentences.filter { !$0.isEmpty }.joined(separator: " ")
    }

    // MARK: Saving

    static func save(_ request: AdminRequest) async throws -> Response {
        let edits = Self.edits(in: request.form)
        let timing = ValueForm.timing(request)
        return try await request.submit(
            orShow: { try await list($0, errors: $1) },
            stale: { values in
                try StalePage.response(
                    values, request, heading: tr("Edit settings"), back: AdminURL.settings(),
                    savesMore: edits.count(where: \.isChange) > values.count
                ) { StalePage.Controls(value: value + $0.key, was: was + $0.key) }
            }
        ) {
            let outcome = try await request.services.updateSettings(edits, timing, by: request.actor)
            return request.redirect(to: EntryURL.setting(outcome.entry), Flash(message(outcome, timing)))
        }
    }

    private static func edits(in form: FormFields) -> [UpdateSettings.Edit] {
        form.fields.filter { $0.name.hasPrefix(value) }.compactMap { field in
            let name = String(field.name.dropFirst(value.count))
            guard let setting = ID<Entry>(name), let old = ValueForm.lines(was + name, in: form),
                let new = ValueForm.lines(field.name, in: form)
            else { return nil }
            return UpdateSettings.Edit(setting: setting, old: old, new: new)
        }
    }

    private static func message(_ outcome: ChangeOutcome, _ timing: PublishTiming) -> String {
        let count = outcome.entries.count
        let message = outcome.message(
            published: tr("\(outcome.published, one: "Setting", other: "# settings") published"),
            pending: tr("\(count, one: "Setting", other: "# settings") changed"))
        if timing == .draft || outcome.drafts == 0 { return message }
        return message + tr(" More approvals are required for \(outcome.drafts).", context: "settings")
    }
}
