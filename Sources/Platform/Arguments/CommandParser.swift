// Parses a command line into a command with checked arguments, or into a request for help.

package struct CommandParser: Sendable {
    package enum Invocation: Sendable {
        case run(ParsedArguments)
        /// Print this on standard output and exit with `ExitCode.ok`.
        case show(String)
    }

    /// The name of the program.
    package let program: String
    package let summary: String
    package let commands: [Command]
    /// Options of every command.
    package let globals: [Command.Option]

    package init(program: String, summary: String, commands: [Command], globals: [Command.Option] = []) {
        self.program = program
        self.summary = summary
        self.commands = commands
        self.globals = globals
    }

    /// `arguments` excludes the program name. Global options may precede the command.
    package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        let help = CommandHelp(parser: self)
        if arguments.first == "help" {
            return .show(try help.text(for: Array(arguments.dropFirst())))
        }
        let start = try commandStart(in: arguments)
        guard start < arguments.endIndex else { return .show(help.overview(isLong: arguments.contains("--help"))) }
        guard let command = command(at: arguments[start...]) else {
            return .show(try helpForGroup(arguments[start...], help))
        }
        let rest = arguments[..<start] + arguments[(start + command.path.count)...]
        let beforeEnd = rest.prefix { $0 != "--" }
        if beforeEnd.contains("--help") { return .show(help.long(command)) }
        if beforeEnd.contains("-h") { return .show(help.short(command)) }
        var reader = ArgumentReader(command: command, options: command.options + globals, program: program)
        return .run(try reader.read(Array(rest)))
    }

    /// The index of the command, after the global options and their values.
    private func commandStart(in arguments: [String]) throws(UsageError) -> Int {
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-"), arguments[index] != "-" {
            let argument = arguments[index]
            index += 1
            let takesNext = globals.contains { option in
                option.kind != .flag
                    && (argument == "--\(option.name)" || option.short.map { argument == "-\($0)" } ?? false)
            }
            if takesNext { index += 1 }
        }
        return min(index, arguments.count)
    }

    /// The command with the longest path that the arguments start with.
    private func command(at arguments: ArraySlice<String>) -> Command? {
        commands.filter { arguments.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
    }

    /// `vitrine queue` and `vitrine queue --help` list the commands of `queue`.
    private func helpForGroup(_ arguments: ArraySlice<String>, _ help: CommandHelp) throws(UsageError) -> String {
        let path = Array(arguments.prefix { !$0.hasPrefix("-") })
        return try help.text(for: path)
    }
}
