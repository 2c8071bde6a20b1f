// One command of the table: a command line that succeeds, and one that is refused.
import Platform

/// Command lines are separated by spaces; `{name}` stands for an object that `CommandWorld` creates for this run.
struct CommandRow: Sendable {
    enum Success: Sendable {
        /// `isAlone`: in a database that no other command line uses.
        case run(_ arguments: String, input: String = "", exits: ExitCode = .ok, isAlone: Bool = false)
        case none(reason: String)
    }

    enum Refusal: Sendable {
        case run(_ arguments: String, input: String = "", exits: ExitCode = .usage)
        /// For commands that nothing else refuses.
        case withoutDatabase
    }

    let name: String
    let success: Success
    let refusal: Refusal

    init(_ name: String, _ success: Success = .run(""), refused: Refusal = .withoutDatabase) {
        self.name = name
        self.success = success
        self.refusal = refused
    }

    /// The usual row: one line that succeeds and one that is refused.
    init(_ name: String, _ arguments: String, refused: String, exits code: ExitCode = .usage) {
        self.init(name, .run(arguments), refused: .run(refused, exits: code))
    }
}
