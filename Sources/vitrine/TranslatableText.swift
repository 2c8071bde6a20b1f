// The texts of the program that are no literals at a call of `tr`, for translators.
import CommandKit
import Domain
import Localization
import Markup
import Packs
import Platform
import Store

struct TranslatableText: Encodable {
    let place: String
    let key: String
    var context: String?
    /// What `{0}`, `{1}`, ... stand for.
    var values: [String] = []

    /// Throws errors of the file system.
    static func all(_ settings: Settings, _ rules: ContentRules) throws -> [TranslatableText] {
        let templates = try TemplateSet.sources(in: settings.directories.templates).flatMap { name, source in
            TemplateMessages.of(source).map { message in
                TranslatableText(
                    place: "Templates/\(name).html", key: message.key, context: message.context, values: message.values)
            }
        }
        let packs = PackSet(RegisteredPacks.all)
        let ofPacks = try packs.parts(PackCommands.self).compactMap(\.texts).flatMap { try $0(settings) }
        return templates + CommandTable.entries(of: packs).flatMap { texts(of: $0.command) }
            + rules.types.all.flatMap(texts(of:)) + ofPacks.flatMap { texts([$0.text], of: $0.place) }
            + texts(ConstraintRules.messages, of: "Sources/Store/Base/ConstraintRules.swift")
    }

    private static func texts(of command: Command) -> [TranslatableText] {
        let summaries = command.options.map(\.summary) + command.positionals.map(\.summary)
        return texts(
            [command.summary, command.details] + summaries + command.examples.map(\.meaning),
            of: "vitrine \(command.name)")
    }

    private static func texts(of type: ContentType) -> [TranslatableText] {
        let fields = type.fields + type.fields.flatMap(\.fields)
        return texts(
            [type.label, type.plural, type.help]
                + fields.flatMap { [$0.label, $0.help, $0.rowLabel] + $0.choices.map(\.label) },
            of: "Config/content-types/\(type.name).json")
    }

    private static func texts(_ texts: [String], of place: String) -> [TranslatableText] {
        texts.filter { !$0.isEmpty }.map {
            TranslatableText(place: place, key: $0, context: Translated.context(of: $0))
        }
    }
}
