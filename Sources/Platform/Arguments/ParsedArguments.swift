// Holds the arguments of a command line, validated against its command.

package struct ParsedArguments: Sendable {
    package let command: Command
    /// The given options by name, values in order; flags as "true" or "false".
    private let options: [String: [String]]
    private let positionals: [String: [String]]
    private let declared: [Command.Option]

    init(
        command: Command, declared: [Command.Option], options: [String: [String]], positionals: [String: [String]]
    ) {
        self.command = command
        self.declared = declared
        self.options = options
        self.positionals = positionals
    }

    /// False unless given.
    package func flag(_ name: String) -> Bool {
        choice(name) ?? false
    }

    /// Nil if neither `--name` nor `--no-name` is given; the last one wins.
    package func choice(_ name: String) -> Bool? {
        texts(name).last.map { $0 == "true" }
    }

    package func text(_ name: String) -> String? {
        texts(name).last
    }

    /// All values of a repeatable option, in order.
    package func texts(_ name: String) -> [String] {
        assert(declared.contains { $0.name == name }, "\(command.name) has no option --\(name)")
        return options[name] ?? []
    }

    package func integer(_ name: String) -> Int? {
        text(name).flatMap { Int($0) }
    }

    /// The positional argument of this name; nil only if it is optional and missing.
    package func argument(_ name: String) -> String? {
        arguments(name).first
    }

    package func arguments(_ name: String) -> [String] {
        assert(command.positionals.contains { $0.name == name }, "\(command.name) has no argument \(name)")
        return positionals[name] ?? []
    }

    /// Configuration values that options set, by key, for `Settings.load(flags:)`.
    package var settings: [String: String] {
        declared.reduce(into: [:]) { settings, option in
            if let key = option.setting, let value = options[option.name]?.last {
                settings[key] = value
            }
        }
    }
}
