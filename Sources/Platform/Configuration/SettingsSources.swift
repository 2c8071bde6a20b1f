// Where configuration comes from: the command line, the environment, and a file.
import FoundationEssentials

/// Answers the first source that gives a key: flag, environment, file. Problems with a source are gathered.
final class SettingsSources {
    struct Found {
        let value: ConfigurationFile.Value
        let origin: SettingOrigin

        /// Flags and variables have no types: there the word 8080 is a number. In the file it must be one.
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
        guard let place = path.map(location.absolute) ?? location.find("Config/vitrine.json") else { return }
        guard let data = FileManager.default.contents(atPath: place) else {
            problems.append("The configuration file \(place) cannot be read.")
            return
        }
        do {
            for entry in try ConfigurationFile(data).entries {
                file[entry.key] = Found(value: entry.value, origin: .file(path: place, line: entry.line))
            }
        } catch {
            problems.append("\(place):\(error.line): \(error.message).")
        }
    }

    /// Nil when the key is given nowhere; `null` in the file is the same as not written.
    func find(_ key: String) -> Found? {
        let variable = Settings.variable(for: key)
        if let text = flags[key] { return Found(value: .text(text), origin: .flag) }
        if let text = given(variable) { return Found(value: .text(text), origin: .environment(variable: variable)) }
        return inFile(key)
    }

    /// Secrets may stand in the file that `VITRINE_..._FILE` names, and never on the command line, which other people
    /// on the machine can read (S53). `alias` is a variable that other programs use for the same.
    func findSecret(_ key: String, alias: String?) -> Found? {
        let variables = [Settings.variable(for: key)] + (alias.map { [$0] } ?? [])
        guard flags[key] == nil else {
            problems.append(
                "\(key) cannot be given on the command line, where others can read it. "
                    + "Put it into \(variables[0]), or name a file that holds it in \(variables[0])_FILE.")
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
            if path != nil { problems.append("\(variable) and \(pathVariable) are both set; set one of them.") }
            return Found(value: .text(text), origin: .environment(variable: variable))
        }
        guard let path else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            problems.append("\(pathVariable) names \(path), which cannot be read.")
            return nil
        }
        let text = String(decoding: data, as: UTF8.self)
        let end = text.lastIndex { !$0.isNewline }.map { text.index(after: $0) } ?? text.startIndex
        return Found(value: .text(String(text[..<end])), origin: .secretFile(variable: pathVariable))
    }

    private func inFile(_ key: String) -> Found? {
        file[key].flatMap { $0.value == .null ? nil : $0 }
    }

    /// An empty variable counts as not set: that is how compose files and unit files leave one out.
    private func given(_ variable: String) -> String? {
        environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Keys of flags and file that are none; a problem, because something the operator wanted would not happen.
    func unknownKeys(known: [String]) -> [String] {
        let inFile = file.filter { !known.contains($0.key) }.map { (key: $0.key, origin: $0.value.origin) }
        let inFlags = flags.keys.filter { !known.contains($0) }.map { (key: $0, origin: SettingOrigin.flag) }
        return (inFile + inFlags).sorted { $0.key < $1.key }.map { unknown in
            "\(unknown.origin): there is no setting \(unknown.key).\(guess(unknown.key, known))"
        }
    }

    /// Variables that set nothing; a warning only, because other programs may use the prefix.
    func unknownVariables(known: [String]) -> [String] {
        environment.keys.sorted().filter { $0.hasPrefix("VITRINE_") && !known.contains($0) }.map { variable in
            "The environment variable \(variable) sets nothing.\(guess(variable, known))"
        }
    }

    private func guess(_ name: String, _ known: [String]) -> String {
        SpellingCorrection.nearest(to: name, among: known).map { " Did you mean \($0)?" } ?? ""
    }
}
