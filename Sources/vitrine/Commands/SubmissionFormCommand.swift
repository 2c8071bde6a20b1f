// Lists, creates, turns on and off, and deletes submission forms.
import CommandKit
import Domain
import Intake
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
            command: Command(
                "submission-form", "list", summary: "List submission forms.", options: [CommandRun.json]),
            run: list),
        CommandEntry(
            command: Command(
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
                positionals: [Arguments.name]),
            run: create),
        CommandEntry(
            command: Command(
                "submission-form", "enable", summary: "Turn on a submission form.", options: [CommandRun.json],
                positionals: [Arguments.name]),
            run: { try await turn(true, $0) }),
        CommandEntry(
            command: Command(
                "submission-form", "disable", summary: "Turn off a submission form.", options: [CommandRun.json],
                positionals: [Arguments.name]),
            run: { try await turn(false, $0) }),
        CommandEntry(
            command: Command(
                "submission-form", "delete", summary: "Delete a submission form; what was sent with it stays.",
                options: [CommandRun.json], positionals: [Arguments.name]),
            run: delete),
    ]

    private struct Line: Encodable {
        let name: String
        let type: String
        let title: String
        let on: Bool
        let path: String
        let origins: [String]

        init(_ form: FormDefinition) {
            (name, type, title, on) = (form.name, form.type, form.title, form.isOn)
            (path, origins) = (AdminURL.submit(form.name), form.origins)
        }
    }

    private static func report(_ form: FormDefinition, _ run: CommandRun) throws {
        if run.isJSON { return try Output.json(Line(form)) }
        Output.line(
            "\(form.name)  \(form.type)  \(form.isOn ? "on" : "off")  \(AdminURL.submit(form.name))  \(form.title)")
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        for line in try await run.withDatabase({ database, _ in try await database.submissionForms.list() }) {
            try report(line.form.definition, run)
        }
        return .ok
    }

    private static func create(_ run: CommandRun) async throws -> ExitCode {
        let arguments = run.arguments
        let actor = run.operatorActor
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
            return try await services.manageSubmissionForm.create(form, by: actor)
        }
        try report(form, run)
        return .ok
    }

    private static func turn(_ isOn: Bool, _ run: CommandRun) async throws -> ExitCode {
        let name = run.arguments.argument(Arguments.name) ?? ""
        let actor = run.operatorActor
        let form = try await run.withDatabase { database, services in
            guard var form = try await database.submissionForms.find(name)?.definition else {
                throw Failure.missing("submission form")
            }
            form.isOn = isOn
            return try await services.manageSubmissionForm.update(name, form, by: actor)
        }
        try report(form, run)
        return .ok
    }

    private static func delete(_ run: CommandRun) async throws -> ExitCode {
        let name = run.arguments.argument(Arguments.name) ?? ""
        let actor = run.operatorActor
        try await run.withDatabase { _, services in try await services.manageSubmissionForm.delete(name, by: actor) }
        if run.isJSON { try Output.json(["deleted": name]) } else { Output.line("Submission form deleted.") }
        return .ok
    }
}
