// Parses and validates the options and positional arguments of one command.
import Localization

struct ArgumentReader {
    private let command: Command
    private let declared: [Command.Option]
    private let program: String
    private var options: [String: [String]] = [:]
    private var positionals: [String] = []

    init(command: Command, options: [Command.Option], program: String) {
        self.command = command
        self.declared = options
        self.program = program
    }

    /// `-` (standard input), negative numbers such as `-5`, and everything after `--` are positional arguments.
    mutating func read(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                positionals += rest
                break
            }
            if argument.hasPrefix("--") {
                try readLong(argument, &rest)
            } else if argument.hasPrefix("-"), argument != "-", Int(argument) == nil {
                try readShort(argument, &rest)
            } else {
                positionals.append(argument)
            }
        }
        for option in declared where option.isRequired && options[option.name] == nil {
            throw error(
                tr(
                    "\(command.name) requires --\(option.name): \(lowercasedFirst(option.summary))",
                    context: "argument reader"))
        }
        return ParsedArguments(
            command: command, declared: declared, options: options, positionals: try assignPositionals())
    }

    private mutating func readLong(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let body = argument.dropFirst(2)
        let name = String(body.prefix { $0 != "=" })
        let value = body.firstIndex(of: "=").map { String(body[body.index(after: $0)...]) }
        if let option = declared.first(where: { $0.name == name }) {
            try take(option, value, &rest)
        } else if name.hasPrefix("no-"), value == nil,
            let option = declared.first(where: { $0.name == name.dropFirst(3) && $0.kind == .flag })
        {
            options[option.name, default: []].append("false")
        } else {
            let known = declared.map { "--\($0.name)" }
            throw error(
                tr("\(command.name) has no option --\(name)."),
                suggestion: SpellingCorrection.nearest(to: "--\(name)", among: known))
        }
    }

    private mutating func readShort(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let letter = argument.dropFirst()
        guard let option = declared.first(where: { $0.short.map { String($0) } == String(letter) }) else {
            let meant = declared.first { $0.name == letter }.map { "--\($0.name)" }
            throw error(tr("\(command.name) has no option \(argument)."), suggestion: meant)
        }
        try take(option, nil, &rest)
    }

    private mutating func take(
        _ option: Command.Option, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let value: String
        if option.kind == .flag {
            guard attached == nil else {
                throw error(tr("--\(option.name) takes no value. Use --\(option.name) or --no-\(option.name)."))
            }
            value = "true"
        } else if let attached {
            value = attached
        } else if let next = rest.first, next == "-" || !next.hasPrefix("-") || Int(next) != nil {
            value = next
            rest.removeFirst()
        } else {
            throw error(tr("--\(option.name) requires a value: --\(option.name) \(option.placeholder)"))
        }
        try check(value, of: option)
        if options[option.name] != nil, option.kind != .flag, !option.isRepeatable {
            throw error(tr("--\(option.name) was given more than once."))
        }
        options[option.name, default: []].append(value)
    }

    private func check(_ value: String, of option: Command.Option) throws(UsageError) {
        switch option.kind {
        case .flag, .text: return
        case .integer(_, let range):
            guard let number = Int(value), range.contains(number) else {
                throw error(
                    tr(
                        "--\(option.name) must be a whole number from \(range.lowerBound) to \(range.upperBound), "
                            + "not \"\(value)\"."))
            }
        case .choice(let choices):
            guard choices.contains(value) else {
                throw error(
                    tr("--\(option.name) must be one of \(choices.joined(separator: ", ")), not \"\(value)\"."),
                    suggestion: SpellingCorrection.nearest(to: value, among: choices))
            }
        }
    }

    private func assignPositionals() throws(UsageError) -> [String: [String]] {
        var given = positionals[...]
        var assigned: [String: [String]] = [:]
        for positional in command.positionals {
            switch positional.count {
            case .one, .optional: assigned[positional.name] = given.popFirst().map { [$0] } ?? []
            case .many, .any:
                assigned[positional.name] = Array(given)
                given = []
            }
            let isRequired = positional.count == .one || positional.count == .many
            if isRequired, assigned[positional.name]?.isEmpty ?? true {
                throw error(
                    tr(
                        "\(command.name) requires <\(positional.name)>: \(lowercasedFirst(positional.summary))",
                        context: "argument reader"))
            }
        }
        if let extra = given.first {
            throw error(tr("Unexpected argument \"\(extra)\"."))
        }
        return assigned
    }

    private func error(_ message: String, suggestion: String? = nil) -> UsageError {
        UsageError(message: message, suggestion: suggestion, help: "\(program) help \(command.name)")
    }

    private func lowercasedFirst(_ sentence: String) -> String {
        sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
}
