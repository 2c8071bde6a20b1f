// Finds the command that the command line asks for, and runs it.
import Domain
import Glibc
import Platform
import Postgres

/// Outside any actor: code of `main.swift` belongs to the main thread, which only waits for signals.
enum Program {
    static let version = "0.1.0"

    static func run(signals: SignalWaiter) -> ExitCode {
        let parser = CommandParser(
            program: "vitrine", summary: "Takes in, reviews and publishes what an app shows.",
            commands: CommandTable.all.map(\.command), globals: [])
        let words = Array(CommandLine.arguments.dropFirst())
        if words == ["--version"] || words == ["version"] {
            Output.line("vitrine \(version)")
            return .ok
        }
        do {
            switch try parser.parse(words) {
            case .show(let text):
                Output.line(text)
                return .ok
            case .run(let arguments): return run(arguments, signals)
            }
        } catch {
            Output.problem(error.description)
            return .usage
        }
    }

    private static func run(_ arguments: ParsedArguments, _ signals: SignalWaiter) -> ExitCode {
        Service.run(signals) { shutdown in
            guard let entry = CommandTable.all.first(where: { $0.command.path == arguments.command.path }) else {
                return .usage
            }
            do {
                return try await entry.run(CommandRun(arguments: arguments, shutdown: shutdown))
            } catch {
                return report(error)
            }
        }
    }

    /// One mapping from what went wrong to a sentence and an exit code.
    static func report(_ error: any Error) -> ExitCode {
        switch error {
        case let failure as Failure: return report(failure)
        case let error as ConfigurationError:
            Output.problem(error.description)
            return .usage
        case let error as PostgresError where error.isUnavailable:
            Output.problem("The database cannot be reached: \(error.message). Is DATABASE_URL right, and does it run?")
            return .temporary
        default:
            Output.problem(String(describing: error))
            return .failure
        }
    }

    private static func report(_ failure: Failure) -> ExitCode {
        switch failure {
        case .invalid(let errors):
            for item in errors.items {
                Output.problem("\(item.pointer.isEmpty ? "" : item.pointer + ": ")\(item.message)")
            }
            return .usage
        case .missing(let what):
            Output.problem("There is no such \(what).")
            return .notFound
        case .conflict(_, let message), .refused(_, let message):
            Output.problem(message)
            return .conflict
        case .stale:
            Output.problem(failure.sentence)
            return .conflict
        case .forbidden(let message):
            Output.problem(message)
            return .permission
        case .unavailable(let message):
            Output.problem(message)
            return .temporary
        }
    }
}
