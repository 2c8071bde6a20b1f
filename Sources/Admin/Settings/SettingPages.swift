// The settings that apps and the server follow, by group, each editable in place.
import Domain
import HTTP
import Localization
import Store

package enum SettingPages {
    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let key: String
        let help: String
        let status: ValueForm.Status
        let was: String
        /// The choices; nil if the value is typed.
        let menu: [Option]?
        let text: String
        let isNumber: Bool
        let problems: [String]
        let autosave: Autosaved?
    }

    private struct Group: Encodable, Sendable {
        let number: Int
        let title: String
        let lines: [Line]
    }

    private struct List: Encodable, Sendable {
        let groups: [Group]
        let query: String
        let isFiltered: Bool
        let isInvalid: Bool
        let maySave: Bool
        let mayCreate: Bool
        let mayPublish: Bool
    }

    static func list(_ request: AdminRequest, refused: ValueForm.Refused? = nil) async throws -> Response {
        var request = request
        let settings = try await request.database.entries.choices(.setting)
        let maySave = request.actor.may(.suggest, on: "setting")
        let autosaves = try await ValueForm.Autosaves.load(&request, maySave ? forms(of: settings) : [])
        let query = request.query.first("q").map { PlainText.singleLine($0) } ?? ""
        let found = settings.filter { matches($0, query) }
        let groups = Dictionary(grouping: found) { $0.content["section"]?.stringValue ?? "" }
        let model = List(
            groups: groups.keys.sorted().enumerated().map { index, name in
                Group(
                    number: index + 1, title: name,
                    lines: (groups[name] ?? []).map { setting in
                        let refusal = refused?.entry == setting.id ? refused : nil
                        let value = setting.content["value"]?.stringValue ?? ""
                        return line(setting, autosaves.shown(form(setting.id), value, refused: refusal))
                    })
            },
            query: query, isFiltered: !query.isEmpty, isInvalid: refused != nil, maySave: maySave,
            mayCreate: request.actor.may(.edit, on: "setting"),
            mayPublish: request.actor.may(.publish, on: "setting"))
        return try request.page(
            "admin/settings/list", model, title: tr("Settings", context: "list"),
            status: refused == nil ? 200 : 422)
    }

    /// Whether all words of the query are in its title, key or help.
    private static func matches(_ setting: EntryChoice, _ query: String) -> Bool {
        let texts = [setting.title, setting.content["key"]?.stringValue ?? "", help(setting)]
        let text = texts.joined(separator: "\n").lowercased()
        return query.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }

    /// The URL that opens the form of a setting.
    private static func form(_ id: ID<Entry>) -> String { EntryURL.setting(id) }

    private static func forms(of settings: [EntryChoice]) -> [(form: String, title: String)] {
        settings.map { setting in
            (form: form(setting.id), title: tr("Setting: \(setting.title)", context: "autosave"))
        }
    }

    private static func line(_ setting: EntryChoice, _ shown: ValueForm.Shown) -> Line {
        func text(_ name: String) -> String { setting.content[name]?.stringValue ?? "" }
        let kind = SettingRule.Kind(rawValue: text("kind")) ?? .text
        let value = shown.text
        var options: [(String, String)]?
        switch kind {
        case .boolean: options = [("true", tr("Yes", context: "list")), ("false", tr("No", context: "list"))]
        case .choice: options = SettingRule.lines(text("choices")).map { ($0, $0) }
        default: break
        }
        if let known = options, !known.contains(where: { $0.0 == value }) { options = known + [(value, value)] }
        return Line(
            id: setting.id, title: setting.title, key: text("key"), help: help(setting),
            status: ValueForm.Status(setting), was: shown.was,
            menu: options?.map { Option(value: $0.0, label: $0.1, isChosen: $0.0 == value) },
            text: value, isNumber: kind == .integer || kind == .number, problems: shown.messages,
            autosave: shown.autosave)
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

    static func save(_ request: AdminRequest) async throws -> Response {
        try await ValueForm.save(request, back: AdminURL.settings(), heading: tr("Edit setting")) {
            try await list(request, refused: $0)
        }
    }
}
