// Parses the command line and runs its command.
import CommandKit
import Domain
import FoundationEssentials
import Glibc
import Localization
import Packs
import Platform
import Postgres

/// Not bound to an actor: code in `main.swift` runs on the main thread, which only waits for signals.
enum Program {
    static let version = "0.1.0"

    static func run(signals: SignalWaiter) -> ExitCode {
        let arguments = Array(CommandLine.arguments.dropFirst())
        return Service.run(signals) { shutdown in await run(arguments, shutdown) }
    }

    /// Runs one command line, without the name of the program.
    static func run(_ arguments: [String], _ shutdown: Shutdown) async -> ExitCode {
        let messages = MessageCatalog.load(environment: ProcessContext.current.environment)
        return await MessageCatalog.$current.withValue(messages) { await runInLanguage(arguments, shutdown) }
    }

    private static func runInLanguage(_ arguments: [String], _ shutdown: Shutdown) async -> ExitCode {
        let entries = CommandTable.entries(ProcessContext.current.environment)
        let parser = CommandParser(
            program: "vitrine", summary: "A self-hosted CMS for user submissions: intake, review, publish.",
            commands: entries.map(\.command), globals: [])
        if arguments == ["--version"] {
            Output.line("vitrine \(version)")
            return .ok
        }
        do {
            switch try parser.parse(arguments) {
            case .show(let text):
                Output.line(text)
                return .ok
            case .run(let arguments): return await run(arguments, entries, shutdown)
            }
        } catch {
            Output.problem(error.description)
            return .usage
        }
    }

    private static func run(
        _ arguments: ParsedArguments, _ entries: [CommandEntry], _ shutdown: Shutdown
    ) async -> ExitCode {
        guard let entry = entries.first(where: { $0.command.path == arguments.command.path }) else {
            return .usage
        }
        do {
            return try await entry.run(CommandRun(arguments: arguments, shutdown: shutdown, packs: RegisteredPacks.all))
        } catch {
            return report(error)
        }
    }

    /// Prints an error as a sentence and maps it to an exit code.
    static func report(_ error: any Error) -> ExitCode {
        switch error {
        case let failure as Failure: return report(failure)
        case let error as ConfigurationError:
            Output.problem(error.description)
            return .usage
        case let error as PostgresError:
            if let failure = DatabaseAdvice.failure(for: error) { return report(failure) }
            Output.problem(error.isUnavailable ? DatabaseAdvice.sentence(for: error) : error.description)
            return error.isUnavailable ? .temporary : .failure
        case let error as CocoaError:
            Output.problem(FileProblem.sentence(for: error))
            return .failure
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
            Output.problem("Not found: \(what).")
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
        case .unavailable(let message, let cause):
            Output.problem(cause.map { "\(message) (\($0))" } ?? message)
            return .temporary
        }
    }
}
