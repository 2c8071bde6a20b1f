// Looks up configuration values on the command line, in the environment and in a file.
import FoundationEssentials

/// The first source that sets a key wins: flag, environment, file. Problems with sources are collected.
final class SettingsSources {
    struct Found {
        let value: ConfigurationFile.Value
        let origin: SettingOrigin

        /// Flags and variables are untyped: there, the text 8080 is a number. In the file, it must be a JSON number.
        var isTyped: Bool {
            if case .file = origin { true } else { false }
        }
    }

    let location: ProgramLocation
    private(set) var problems: [String] = []
    private let flags: [String: String]
    private let environment: [String: String]
    private var file: [String: Found] = [:]

    init(flags: [String: String], environment: [String: String], file: String?, location: ProgramLocation) {
        self.flags = flags
        self.environment = environment
        self.location = location
        readFile(file ?? given("VITRINE_CONFIG"))
    }

    private func readFile(_ path: String?) {
        guard let resolved = path.map(location.absolute) ?? location.find("Config/vitrine.json") else { return }
        guard let data = FileManager.default.contents(atPath: resolved) else {
            problems.append("The configuration file \(resolved) can't be read. Check its path and permissions.")
            return
        }
        do {
            for entry in try ConfigurationFile(data).entries {
                file[entry.key] = Found(value: entry.value, origin: .file(path: resolved, line: entry.line))
            }
        } catch {
            problems.append("\(resolved):\(error.line): \(error.message).")
        }
    }

    /// Nil if the key is not set; `null` in the file counts as not set.
    func find(_ key: String) -> Found? {
        let variable = Settings.variable(for: key)
        if let text = flags[key] { return Found(value: .text(text), origin: .flag) }
        if let text = given(variable) { return Found(value: .text(text), origin: .environment(variable: variable)) }
        return inFile(key)
    }

    /// Secrets may be in the file that `VITRINE_..._FILE` names, and never on the command line, which other users of the
    /// machine can read (S53). `alias` is a variable that other programs use for the same value.
    func findSecret(_ key: String, alias: String?) -> Found? {
        let variables = [Settings.variable(for: key)] + (alias.map { [$0] } ?? [])
        guard flags[key] == nil else {
            problems.append(
                "\(key) can't be set on the command line, where other users can read it. "
                    + "Set \(variables[0]), or name a file that contains it in \(variables[0])_FILE.")
            return nil
        }
        for variable in variables {
            if let found = findSecret(variable: variable) { return found }
        }
        return inFile(key)
    }

    private func findSecret(variable: String) -> Found? {
        let pathVariable = "\(variable)_FILE"
        let path = given(pathVariable)
        if let text = given(variable) {
            if path != nil { problems.append("\(variable) and \(pathVariable) are both set. Set only one.") }
            return Found(value: .text(text), origin: .environment(variable: variable))
        }
        guard let path else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            problems.append("\(pathVariable) names \(path), which can't be read.")
            return nil
        }
        // A byte order mark, which editors write unseen, is no part of it.
        let text = String(decoding: data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data, as: UTF8.self)
        guard let last = text.lastIndex(where: { !$0.isNewline }) else {
            problems.append("\(pathVariable) names \(path), which is empty. Write the value into it.")
            return nil
        }
        return Found(value: .text(String(text[...last])), origin: .secretFile(variable: pathVariable))
    }

    private func inFile(_ key: String) -> Found? {
        file[key].flatMap { $0.value == .null ? nil : $0 }
    }

    /// An empty variable is an error: somebody meant to set it, and its default may be another database.
    private func given(_ variable: String) -> String? {
        guard let value = environment[variable] else { return nil }
        if !value.isEmpty { return value }
        let problem = "\(variable) is empty. Set a value, or remove the variable."
        if !problems.contains(problem) { problems.append(problem) }
        return nil
    }

    /// Unknown keys of flags and file: an error, because the operator's intent would be ignored.
    func unknownKeys(known: [String]) -> [String] {
        let inFile = file.filter { !known.contains($0.key) }.map { (key: $0.key, origin: $0.value.origin) }
        let inFlags = flags.keys.filter { !known.contains($0) }.map { (key: $0, origin: SettingOrigin.flag) }
        return (inFile + inFlags).sorted { $0.key < $1.key }.map { unknown in
            "\(unknown.origin): unknown key \(unknown.key).\(guess(unknown.key, known))"
        }
    }

    /// Unknown variables: only a warning, because other programs may use the prefix.
    func unknownVariables(known: [String]) -> [String] {
        environment.keys.sorted().filter { $0.hasPrefix("VITRINE_") && !known.contains($0) }.map { variable in
            "Unknown environment variable \(variable).\(guess(variable, known))"
        }
    }

    private func guess(_ name: String, _ known: [String]) -> String {
        SpellingCorrection.nearest(to: name, among: known).map { " Did you mean \($0)?" } ?? ""
    }
}
