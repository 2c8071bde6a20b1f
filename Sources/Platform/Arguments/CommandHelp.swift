// Generates help from the command table.
import Localization

struct CommandHelp {
    let parser: CommandParser

    /// Help for a command, for a group such as `queue`, or for the whole program if `path` is empty.
    func text(for path: [String]) throws(UsageError) -> String {
        if path.isEmpty { return overview(isLong: true) }
        if let command = parser.commands.first(where: { $0.path == path }) { return long(command) }
        let members = parser.commands.filter { $0.path.starts(with: path) && !$0.isHidden }
        guard members.isEmpty else { return group(path, members) }
        throw unknown(path)
    }

    /// Lists all commands; the long form adds the global options.
    func overview(isLong: Bool) -> String {
        let visible = parser.commands.filter { !$0.isHidden }
        var lines = [
            parser.summary, "", tr("Usage: \(parser.program) <command> [options]"), "",
            tr("Commands:", context: "command help"),
        ]
        lines += table(visible.map { ($0.name, $0.summary) })
        if isLong, !parser.globals.isEmpty {
            lines += ["", tr("Global options:")] + table(parser.globals.map(row))
        }
        lines += ["", tr("Run \"\(parser.program) help <command>\" for the arguments and options of a command.")]
        return joined(lines)
    }

    /// For `-h`: summary, usage, options and examples.
    func short(_ command: Command) -> String {
        joined(head(command) + options(command) + examples(command))
    }

    /// For `--help`: adds the details and the global options.
    func long(_ command: Command) -> String {
        let details = command.details.isEmpty ? [] : ["", command.details]
        let globals = parser.globals.isEmpty ? [] : ["", tr("Global options:")] + table(parser.globals.map(row))
        return joined(head(command) + details + options(command) + examples(command) + globals)
    }

    private func group(_ path: [String], _ members: [Command]) -> String {
        let name = path.joined(separator: " ")
        return joined(
            [tr("Usage: \(parser.program) \(name) <command> [options]"), "", tr("Commands:", context: "command help")]
                + table(members.map { ($0.name, $0.summary) })
                + [
                    "",
                    tr("Run \"\(parser.program) help \(name) <command>\" for the arguments and options of a command."),
                ])
    }

    /// Suggests the nearest command or group.
    private func unknown(_ path: [String]) -> UsageError {
        let visible = parser.commands.filter { !$0.isHidden }
        let typed = path.joined(separator: " ")
        let group = path.first.flatMap { first in visible.first { $0.path.first == first && $0.path.count > 1 } }
        let prefixes = (1...path.count).map { path.prefix($0).joined(separator: " ") }
        let names = visible.map(\.name) + visible.compactMap { $0.path.count > 1 ? $0.path[0] : nil }
        let guess = prefixes.reversed().lazy.compactMap { SpellingCorrection.nearest(to: $0, among: names) }.first
        return UsageError(
            message: tr("Unknown command \"\(typed)\"."), suggestion: guess,
            help: ([parser.program, "help"] + (group?.path.prefix(1) ?? [])).joined(separator: " "))
    }

    private func head(_ command: Command) -> [String] {
        let positionals = command.positionals.map { positional in
            switch positional.count {
            case .one: "<\(positional.name)>"
            case .optional: "[\(positional.name)]"
            case .many: "<\(positional.name)>..."
            case .any: "[\(positional.name)...]"
            }
        }
        let required = command.options.filter(\.isRequired).map { "--\($0.name) \($0.placeholder)" }
        let hasMore = command.options.contains { !$0.isRequired }
        let usage = [parser.program, command.name] + positionals + required + (hasMore ? ["[options]"] : [])
        let arguments =
            command.positionals.isEmpty
            ? []
            : ["", tr("Arguments:", context: "command help")] + table(command.positionals.map { ($0.name, $0.summary) })
        return [command.summary, "", tr("Usage: \(usage.joined(separator: " "))", context: "command help")] + arguments
    }

    private func options(_ command: Command) -> [String] {
        command.options.isEmpty ? [] : ["", tr("Options:", context: "command help")] + table(command.options.map(row))
    }

    private func examples(_ command: Command) -> [String] {
        guard !command.examples.isEmpty else { return [] }
        return ["", tr("Examples:", context: "command help")]
            + command.examples.flatMap { example -> [String] in
                let source = example.source.map { "\($0) | " } ?? ""
                return ["  \(source)\(parser.program) \(example.line)", "      \(example.meaning)"]
            }
    }

    private func row(_ option: Command.Option) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? ""
        let value = option.kind == .flag ? "" : " \(option.placeholder)"
        let notes =
            (option.isRequired ? tr(" (required)", context: "command help") : "")
            + (option.isRepeatable ? tr(" (may be repeated)") : "")
        return ("\(short)--\(option.name)\(value)", option.summary + notes)
    }

    private func table(_ rows: [(name: String, summary: String)]) -> [String] {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            "  \(row.name)\(String(repeating: " ", count: width - row.name.count))  \(row.summary)"
        }
    }

    private func joined(_ lines: [String]) -> String {
        lines.joined(separator: "\n") + "\n"
    }
}

extension Command.Option {
    /// The value in help: `<number>`, `json|text`; empty for a flag.
    var placeholder: String {
        switch kind {
        case .flag: ""
        case .text(let placeholder), .integer(let placeholder, _): "<\(placeholder)>"
        case .choice(let choices): choices.joined(separator: "|")
        }
    }
}
