// Reads and validates configuration keys, and records each key that is read.

/// `Settings` reads each key in turn. Problems are collected, so that the operator sees all of them at once.
final class SettingsReader {
    enum Unit {
        case millisecond, second, minute, hour

        fileprivate func duration(_ count: Int) -> Duration {
            switch self {
            case .millisecond: .milliseconds(count)
            case .second: .seconds(count)
            case .minute: .seconds(count * 60)
            case .hour: .seconds(count * 3600)
            }
        }
    }

    private(set) var entries: [Settings.Entry] = []
    private(set) var warnings: [String] = []
    private var keyProblems: [String] = []
    private let sources: SettingsSources

    init(_ sources: SettingsSources) {
        self.sources = sources
    }

    var location: ProgramLocation { sources.location }

    var problems: [String] { sources.problems + keyProblems }

    func text(_ key: String, _ fallback: String, _ summary: String) -> String {
        let found = sources.find(key)
        let value = text(key, found) ?? fallback
        if value.isEmpty { addProblem(key, found, "must not be empty") }
        note(key, quoted(value), quoted(fallback), found, summary)
        return value
    }

    /// Nil if the key is not set.
    func optionalText(_ key: String, _ summary: String) -> String? {
        let found = sources.find(key)
        let value = text(key, found)
        note(key, value.map(quoted), nil, found, summary)
        return value
    }

    /// The absolute path of files that come with the program.
    func programFiles(_ key: String, _ fallback: String, _ summary: String) -> String {
        let name = text(key, fallback, summary)
        let path = location.find(name) ?? location.absolute(name)
        entries[entries.count - 1].path = path
        return path
    }

    func integer(_ key: String, _ fallback: Int, _ range: ClosedRange<Int>, _ summary: String) -> Int {
        let found = sources.find(key)
        var value = fallback
        if let found {
            if let number = wholeNumber(found), range.contains(number) {
                value = number
            } else {
                let limits = "\(range.lowerBound) to \(range.upperBound)"
                addProblem(key, found, "must be a whole number from \(limits), not \(shown(found.value))")
            }
        }
        note(key, String(value), String(fallback), found, summary)
        return value
    }

    /// A whole number of `unit`s.
    func duration(
        _ key: String, _ fallback: Int, _ range: ClosedRange<Int>, _ unit: Unit, _ summary: String
    ) -> Duration {
        unit.duration(integer(key, fallback, range, summary))
    }

    func flag(_ key: String, _ fallback: Bool, _ summary: String) -> Bool {
        let found = sources.find(key)
        var value = fallback
        switch (found?.value, found?.isTyped) {
        case (.flag(let flag), _): value = flag
        case (.text("true"), false): value = true
        case (.text("false"), false): value = false
        case (.some(let other), _): addProblem(key, found, "must be true or false, not \(shown(other))")
        case (nil, _): break
        }
        note(key, String(value), String(fallback), found, summary)
        return value
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ fallback: Choice, _ summary: String
    ) -> Choice {
        let found = sources.find(key)
        var value = fallback
        if let found {
            if case .text(let text) = found.value, let choice = Choice(rawValue: text) {
                value = choice
            } else {
                let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                addProblem(key, found, "must be one of \(choices), not \(shown(found.value))")
            }
        }
        note(key, quoted(value.rawValue), quoted(fallback.rawValue), found, summary)
        return value
    }

    func secret(_ key: String, alias: String? = nil, _ summary: String) -> Secret? {
        let found = sources.findSecret(key, alias: alias)
        var value: Secret?
        switch found?.value {
        case .text(let text): value = Secret(text)
        case .some: addProblem(key, found, "must be a string in double quotes")
        case nil: break
        }
        note(key, value.map { quoted($0.description) }, nil, found, summary, isSecret: true)
        return value
    }

    /// Rejects a value of the right type; `objection` is the end of a sentence.
    func refuse(_ key: String, _ objection: String) {
        addProblem(key, sources.find(key), objection)
    }

    /// Reports unknown names; called after every key has been read.
    func checkNames() {
        keyProblems += sources.unknownKeys(known: entries.map(\.key))
        let secretFiles = entries.filter(\.isSecret).map { "\($0.variable)_FILE" }
        warnings += sources.unknownVariables(known: entries.map(\.variable) + secretFiles + ["VITRINE_CONFIG"])
    }

    private func text(_ key: String, _ found: SettingsSources.Found?) -> String? {
        switch found?.value {
        case .text(let text): return text
        case .some(let other):
            addProblem(key, found, "must be a string in double quotes, not \(shown(other))")
            return nil
        case nil: return nil
        }
    }

    private func wholeNumber(_ found: SettingsSources.Found) -> Int? {
        switch found.value {
        case .number(let text): Int(text)
        case .text(let text): found.isTyped ? nil : Int(text)
        case .flag, .null: nil
        }
    }

    private func addProblem(_ key: String, _ found: SettingsSources.Found?, _ objection: String) {
        let origin = found.map { " (\($0.origin))" } ?? ""
        keyProblems.append("\(key)\(origin) \(objection).")
    }

    private func shown(_ value: ConfigurationFile.Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let text): text
        case .flag(let flag): String(flag)
        case .null: "null"
        }
    }

    /// The text as a JSON string, readable for people.
    private func quoted(_ text: String) -> String {
        "\"\(text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())\""
    }

    private func note(
        _ key: String, _ value: String?, _ fallback: String?, _ found: SettingsSources.Found?, _ summary: String,
        isSecret: Bool = false
    ) {
        entries.append(
            Settings.Entry(
                key: key, value: value ?? "null", fallback: fallback ?? "null", origin: found?.origin ?? .fallback,
                summary: summary, isSecret: isSecret))
    }
}
