// Lists, creates, turns on and off, and deletes submission forms.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum SubmissionFormCommand {
    private enum Arguments {
        static let name = Command.Positional("name", "Name in the URL.")
        static let type = Command.Option("type", .text(placeholder: "TYPE"), "Content type.", isRequired: true)
        static let title = Command.Option("title", .text(placeholder: "TEXT"), "Heading of the page.", isRequired: true)
        static let introduction = Command.Option("introduction", .text(placeholder: "TEXT"), "Text above the fields.")
        static let locale = Command.Option("locale", .text(placeholder: "TAG"), "Language; en by default.")
        static let field = Command.Option(
            "field", .text(placeholder: "NAME"), "Show this field; all by default.", isRepeatable: true)
        static let category = Command.Option("category", .text(placeholder: "NAME"), "Requested category.")
        static let feed = Command.Option("feed", .text(placeholder: "SLUG"), "Feed of what is sent.")
        static let origin = Command.Option(
            "origin", .text(placeholder: "URL"), "Site that may show it in a frame.", isRepeatable: true)
        static let anonymous = Command.Option("anonymous", .flag, "Accept submissions without a name.")
        static let requireEmail = Command.Option("require-email", .flag, "Require an email address.")
        static let on = Command.Option("on", .flag, "Turn it on at once.")
    }

    static let entries = [
        CommandEntry(
            "submission-form", "list", summary: "List submission forms.", options: [CommandRun.json], run: list),
        CommandEntry(
            "submission-form", "create", summary: "Create a page on which people send submissions.",
            details: "It is off until it is turned on. Its page is /submit/NAME.",
            examples: [
                .init("submission-form create stories --type article --title \"Your stories\" --on", ""),
                .init(
                    "submission-form create tips --type article --title Tips --field title --field body "
                        + "--origin https://www.example.org", "two fields, for a frame of that site"),
            ],
            options: [
                Arguments.type, Arguments.title, Arguments.introduction, Arguments.locale, Arguments.field,
                Arguments.category, Arguments.feed, Arguments.origin, Arguments.anonymous, Arguments.requireEmail,
                Arguments.on, CommandRun.json,
            ],
            positionals: [Arguments.name], run: create),
        CommandEntry(
            "submission-form", "enable", summary: "Turn on a submission form.", options: [CommandRun.json],
            positionals: [Arguments.name], run: { try await turn(true, $0) }),
        CommandEntry(
            "submission-form", "disable", summary: "Turn off a submission form.", options: [CommandRun.json],
            positionals: [Arguments.name], run: { try await turn(false, $0) }),
        CommandEntry(
            "submission-form", "delete", summary: "Delete a submission form; what was sent with it stays.",
            options: [CommandRun.json], positionals: [Arguments.name], run: delete),
    ]

    private static let columns: [Column<FormDefinition>] = [
        .both("name") { $0.name }, .both("type") { $0.type }, .json("on") { $0.isOn },
        .text { $0.isOn ? "on" : "off" }, .both("path") { AdminURL.submit($0.name) }, .both("title") { $0.title },
        .json("origins") { $0.origins },
    ]

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let lines = try await run.withDatabase { database, _ in try await database.submissionForms.list() }
        return try run.list(lines.map(\.form.definition), columns)
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let arguments = run.arguments
        let form = try await run.withDatabase { database, services in
            var form = FormDefinition(
                name: arguments.argument(Arguments.name) ?? "", type: arguments.text(Arguments.type) ?? "",
                title: arguments.text(Arguments.title) ?? "")
            form.introduction = arguments.text(Arguments.introduction) ?? ""
            form.locale = arguments.text(Arguments.locale) ?? form.locale
            let fields = arguments.texts(Arguments.field)
            form.fields = fields.isEmpty ? nil : fields
            form.category = arguments.text(Arguments.category)
            if let feed = arguments.text(Arguments.feed) {
                form.feed = try await run.resolve([feed], type: "feed", database).first
            }
            form.origins = arguments.texts(Arguments.origin)
            form.allowsAnonymous = arguments.flag(Arguments.anonymous)
            form.requiresEmail = arguments.flag(Arguments.requireEmail)
            form.isOn = arguments.flag(Arguments.on)
            return try await services.manageSubmissionForm.create(form, by: run.operatorActor)
        }
        return try run.show(form, columns)
    }

    private static func turn(_ isOn: Bool, _ run: CommandRun) async throws -> ExitCode {
        let name = run.arguments.argument(Arguments.name) ?? ""
        let form = try await run.withDatabase { database, services in
            guard var form = try await database.submissionForms.find(name)?.definition else {
                throw Failure.missing("submission form")
            }
            form.isOn = isOn
            return try await services.manageSubmissionForm.update(name, form, by: run.operatorActor)
        }
        return try run.show(form, columns)
    }

    private static func delete(_ run: CommandRun) async throws -> ExitCode {
        let name = run.arguments.argument(Arguments.name) ?? ""
        try await run.withDatabase { _, services in
            try await services.manageSubmissionForm.delete(name, by: run.operatorActor)
        }
        return try run.report(["deleted": name], "Submission form deleted.")
    }
}
