// Describes one command: its name, arguments and help.
import Localization

package struct Command: Sendable {
    /// `["queue", "approve"]`.
    package var path: [String]
    /// One imperative sentence: "Approve a submission."
    @Translated package var summary: String
    /// Further paragraphs for `--help`.
    @Translated package var details: String
    package var examples: [Example]
    package var options: [Option]
    package var positionals: [Positional]
    /// Works, but is not listed in help.
    package var isHidden: Bool

    /// "queue approve".
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
        /// The command line without the program name: `queue approve 0197... --note "checked"`.
        package var line: String
        /// What writes its standard input: `zcat all.ndjson.gz`.
        package var source: String?
        @Translated package var meaning: String

        package init(_ line: String, _ meaning: String, from source: String? = nil) {
            self.line = line
            self.source = source
            self.meaning = meaning
        }
    }

    package struct Option: Sendable {
        package enum Kind: Sendable, Equatable {
            /// `--json`, and `--no-json` to turn it off.
            case flag
            /// Any text; help shows `placeholder`.
            case text(placeholder: String)
            case integer(placeholder: String, in: ClosedRange<Int>)
            case choice([String])
        }

        /// Without dashes: `dry-run`.
        package var name: String
        /// A single letter for `-n`.
        package var short: Character?
        package var kind: Kind
        @Translated package var summary: String
        package var isRequired: Bool
        /// May be given more than once.
        package var isRepeatable: Bool
        /// The configuration key that this option sets: `listen.port`.
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

        /// The same option as another command describes or requires it.
        package func with(summary: String? = nil, isRequired: Bool? = nil) -> Option {
            var option = self
            option.summary = summary ?? self.summary
            option.isRequired = isRequired ?? self.isRequired
            return option
        }
    }

    package struct Positional: Sendable {
        package enum Count: Sendable, Equatable {
            case one, optional
            /// One or more; only for the last positional argument.
            case many
            /// Zero or more; only for the last positional argument.
            case any
        }

        package var name: String
        @Translated package var summary: String
        package var count: Count

        package init(_ name: String, _ summary: String, _ count: Count = .one) {
            self.name = name
            self.summary = summary
            self.count = count
        }

        /// The same argument as another command describes or counts it.
        package func with(summary: String? = nil, count: Count? = nil) -> Positional {
            Positional(name, summary ?? self.summary, count ?? self.count)
        }
    }
}
