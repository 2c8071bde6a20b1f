// Describes one configuration key for `config show`, and loads the configuration.

extension Settings {
    package struct Entry: Sendable, Equatable {
        /// `listen.port`.
        package let key: String
        /// As JSON: `8080`, `"text"`, `null`; a secret that is set is `"[secret]"`.
        package let value: String
        /// The default, as JSON.
        package let fallback: String
        package let origin: SettingOrigin
        /// One sentence.
        package let summary: String
        package let isSecret: Bool
        /// The absolute path that was found, of keys that name files that come with the program.
        package internal(set) var path: String?

        /// `VITRINE_LISTEN_PORT`.
        package var variable: String { Settings.variable(for: key) }
    }

    /// Throws all problems at once. `flags` are by key, as in `ParsedArguments.settings`. A given `file` must exist; without
    /// one, `Config/vitrine.json` is read if it exists.
    package static func load(
        flags: [String: String] = [:], environment: [String: String], file: String? = nil,
        location: ProgramLocation = .current
    ) throws(ConfigurationError) -> Settings {
        let reader = SettingsReader(
            SettingsSources(flags: flags, environment: environment, file: file, location: location))
        let settings = Settings(reader)
        guard reader.problems.isEmpty else { throw ConfigurationError(problems: reader.problems) }
        return settings
    }

    /// Nil for a key that does not exist.
    package func origin(of key: String) -> SettingOrigin? {
        entries.first { $0.key == key }?.origin
    }

    static func variable(for key: String) -> String {
        "VITRINE_" + key.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }
}
