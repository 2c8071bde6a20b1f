// The table of commands, in groups that share a database.
import Testing

struct CommandGroup: Sendable, CustomTestStringConvertible {
    let name: String
    let rows: [CommandRow]

    var testDescription: String { name }

    static let all = [
        demo, service, queue, review, entries, categories, releases, media, imports, access, webhooks, operations,
    ]
}
