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
    package func flag(_ option: Command.Option) -> Bool {
        choice(option) ?? false
    }

    /// Nil if neither `--name` nor `--no-name` is given; the last one wins.
    package func choice(_ option: Command.Option) -> Bool? {
        texts(option).last.map { $0 == "true" }
    }

    package func text(_ option: Command.Option) -> String? {
        texts(option).last
    }

    /// All values of a repeatable option, in order.
    package func texts(_ option: Command.Option) -> [String] {
        assert(declared.contains { $0.name == option.name }, "\(command.name) has no option --\(option.name)")
        return options[option.name] ?? []
    }

    /// The value of an option that many commands share and this one may not have.
    package func shared(_ option: Command.Option) -> String? {
        options[option.name]?.last
    }

    package func integer(_ option: Command.Option) -> Int? {
        text(option).flatMap { Int($0) }
    }

    /// Nil only if it is optional and missing.
    package func argument(_ positional: Command.Positional) -> String? {
        arguments(positional).first
    }

    package func arguments(_ positional: Command.Positional) -> [String] {
        assert(
            command.positionals.contains { $0.name == positional.name },
            "\(command.name) has no argument \(positional.name)")
        return positionals[positional.name] ?? []
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
