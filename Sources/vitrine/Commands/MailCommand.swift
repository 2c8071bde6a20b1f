// Lists mails and sends failed mails again.
import Domain
import FoundationEssentials
import Mail
import Platform
import Store

enum MailCommand {
    private enum Arguments {
        static let state = Command.Option("state", .choice(MailState.allCases.map(\.rawValue)), "Only this state.")
        static let id = Command.Positional("id", "Mail id.")
    }

    static let entries = [
        CommandEntry(
            command: Command(
                "mail", "list", summary: "List the newest mails, without their text.",
                options: [
                    Arguments.state, CommandRun.json,
                ]),
            run: list),
        CommandEntry(
            command: Command(
                "mail", "retry", summary: "Retry a failed mail under the same id.", options: [CommandRun.json],
                positionals: [Arguments.id]),
            run: retry),
    ]

    private struct Line: Encodable {
        let id: String
        let key: String
        let recipient: String
        let subject: String
        let state: String
        let attempts: Int
        let last_error: String?
        let created_at: Date
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let state = run.arguments.text(Arguments.state).flatMap { MailState(rawValue: $0) }
        let page = try await run.withDatabase { database, _ in
            try await database.mails.page(state: state, cursor: nil, limit: 200)
        }
        for mail in page.items {
            if run.isJSON {
                try Output.json(
                    Line(
                        id: mail.id.description, key: mail.key, recipient: mail.recipient, subject: mail.subject,
                        state: mail.state.rawValue, attempts: mail.attempts, last_error: mail.lastError,
                        created_at: mail.createdAt))
            } else {
                let reason = mail.state == .sent ? "" : mail.lastError.map { "  \($0)" } ?? ""
                Output.line("\(mail.id)  \(mail.state.rawValue)  \(mail.recipient)  \(mail.subject)\(reason)")
            }
        }
        return .ok
    }

    private static func retry(_ run: CommandRun) async throws -> ExitCode {
        guard let id = ID<Domain.Mail>(run.arguments.argument(Arguments.id) ?? "") else {
            throw Failure.missing("mail")
        }
        let actor = run.operatorActor
        try await run.withDatabase { _, services in try await services.retryMail(id, by: actor) }
        if run.isJSON {
            try Output.json(["queued": id.description])
        } else {
            Output.line("Mail queued to be sent again.")
        }
        return .ok
    }
}
