// Limiter the words of a command line into a command and its checked arguments, or into help.

package struct CommandParser: Sendable {
    package enum Invocation: Sendable {
        case run(ParsedArguments)
        /// Print this on standard output and end with `ExitCode.ok`.
        case show(String)
    }

    /// The name of the program, as typed.
    package let program: String
    package let summary: String
    package let commands: [Command]
    /// Options that every command takes.
    package let globals: [Command.Option]

    package init(program: String, summary: String, commands: [Command], globals: [Command.Option] = []) {
        self.program = program
        self.summary = summary
        self.commands = commands
        self.globals = globals
    }

    /// `words` without the program itself. Global options may stand before the command.
    package func parse(_ words: [String]) throws(UsageError) -> Invocation {
        let help = CommandHelp(parser: self)
        if words.first == "help" {
            return .show(try help.text(for: Array(words.dropFirst())))
        }
        let start = try commandStart(in: words)
        guard start < words.endIndex else { return .show(help.overview(isLong: words.contains("--help"))) }
        guard let command = command(at: words[start...]) else {
            return .show(try helpForGroup(words[start...], help))
        }
        let rest = words[..<start] + words[(start + command.path.count)...]
        let beforeEnd = rest.prefix { $0 != "--" }
        if beforeEnd.contains("--help") { return .show(help.long(command)) }
        if beforeEnd.contains("-h") { return .show(help.short(command)) }
        var reader = ArgumentReader(command: command, options: command.options + globals, program: program)
        return .run(try reader.read(Array(rest)))
    }

    /// Where the command begins: after the global options and their values.
    private func commandStart(in words: [String]) throws(UsageError) -> Int {
        var index = 0
        while index < words.count, words[index].hasPrefix("-"), words[index] != "-" {
            let word = words[index]
            index += 1
            let takesNext = globals.contains { option in
                option.kind != .flag && (word == "--\(option.name)" || option.short.map { word == "-\($0)" } ?? false)
            }
            if takesNext { index += 1 }
        }
        return min(index, words.count)
    }

    /// The command with the longest path that these words begin with.
    private func command(at words: ArraySlice<String>) -> Command? {
        commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
    }

    /// `vitrine queue` and `vitrine queue --help` list what there is under `queue`.
    private func helpForGroup(_ words: ArraySlice<String>, _ help: CommandHelp) throws(UsageError) -> String {
        let path = Array(words.prefix { !$0.hasPrefix("-") })
        return try help.text(for: path)
    }
}
