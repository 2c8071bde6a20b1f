// One command as data: what it is called, what it takes, and how help describes it.

package struct Command: Sendable {
    /// `["queue", "accept"]`.
    package var path: [String]
    /// One sentence, as in "Accepts a submission."
    package var summary: String
    /// More, for `--help`: plain paragraphs.
    package var details: String
    package var examples: [Example]
    package var options: [Option]
    package var positionals: [Positional]
    /// Works, but is not listed.
    package var isHidden: Bool

    /// "queue accept".
    package var name: String { path.joined(separator: " ") }

    package init(
        _ path: String..., summary: String, details: String = "", examples: [Example] = [], options: [Option] = [],
        positionals: [Positional] = [], isHidden: Bool = false
    ) {
        self.path = path
        self.summary = summary
        self.details = details
        self.examples = examples
        self.options = options
        self.positionals = positionals
        self.isHidden = isHidden
    }
}

extension Command {
    package struct Example: Sendable {
        /// As typed, without the name of the program: `queue accept 0197... --note "checked"`.
        package var line: String
        package var meaning: String

        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    package struct Option: Sendable {
        package enum Kind: Sendable, Equatable {
            /// `--json`, and `--no-json` to take it back.
            case flag
            /// Any text; `placeholder` stands for it in help.
            case text(placeholder: String)
            case integer(placeholder: String, in: ClosedRange<Int>)
            case choice([String])
        }

        /// Without dashes: `dry-run`.
        package var name: String
        /// A single letter for `-n`.
        package var short: Character?
        package var kind: Kind
        package var summary: String
        package var isRequired: Bool
        /// May be given more than once; otherwise that is an error.
        package var isRepeatable: Bool
        /// The key of the configuration that this option sets: `listen.port`.
        package var setting: String?

        package init(
            _ name: String, short: Character? = nil, _ kind: Kind, _ summary: String, isRequired: Bool = false,
            isRepeatable: Bool = false, setting: String? = nil
        ) {
            self.name = name
            self.short = short
            self.kind = kind
            self.summary = summary
            self.isRequired = isRequired
            self.isRepeatable = isRepeatable
            self.setting = setting
        }
    }

    package struct Positional: Sendable {
        package enum Count: Sendable, Equatable {
            case one, optional
            /// One or more; only the last positional may be so.
            case many
            /// None or more; only the last positional may be so.
            case any
        }

        package var name: String
        package var summary: String
        package var count: Count

        package init(_ name: String, _ summary: String, _ count: Count = .one) {
            self.name = name
            self.summary = summary
            self.count = count
        }
    }
}
