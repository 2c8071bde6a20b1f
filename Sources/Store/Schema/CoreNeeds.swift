// The fields that the projections of the core need or read, by the kind of the entry.
import Domain

extension Pack {
    static let coreNeeds: [ContentType.Kind: [KindField]] = [
        .item: [
            .title, .slug, KindField("tier", .choice, .text, isRequired: false),
            KindField("published", .datetime, isRequired: false),
            // lists in a language compare it
            KindField("locale", .locale, isRequired: false),
            // read of every item, shown of videos
            KindField("duration", .duration, .integer, isRequired: false),
            KindField("feeds", .references, isRequired: false, targets: [.feed]),
            KindField("categories", .references, isRequired: false, targets: [.category]),
        ],
        .feed: [
            .title, .slug, KindField("tier", .choice, .text), featured,
            KindField("order", .choice, .text, isRequired: false),
            KindField("pins", .references, isRequired: false, targets: [.item]),
            KindField(ManualOrder.field, .references, isRequired: false, targets: [.item]),
            KindField("source_category", .reference, isRequired: false, targets: [.category]),
            KindField("categories", .references, isRequired: false, targets: [.category]),
        ],
        .category: [
            .title, .slug, KindField("group", .reference, targets: [.categoryGroup]), featured, .names,
            KindField("position", .integer, isRequired: false, range: KindField.integers),
            KindField("synonyms", .longText, .text, isRequired: false),
            KindField("merged_into", .reference, isRequired: false, targets: [.category]),
        ],
        .categoryGroup: [.title, .slug, KindField("number", .integer, range: 1...2), .names],
        .onboardingSet: [
            KindField("key", .key), KindField("locale", .locale),
            KindField("screens", .rows, isRequired: false, fields: [KindField("image", .image, isRequired: false)]),
            KindField("set_version", .integer, range: KindField.integers),
            KindField("min_screens", .integer, range: KindField.integers),
            KindField("max_screens", .integer, range: KindField.integers),
        ],
        .text: [
            KindField("key", .key), KindField("section", .choice, .text), KindField("format", .choice, .text),
            KindField(
                "values", .rows,
                fields: [KindField("locale", .locale), KindField("value", .longText, .text)]),
            KindField("placeholders", .rows, isRequired: false, fields: [KindField("name", .key, .text)]),
        ],
        .setting: [
            KindField("key", .key), KindField("section", .text, .choice), KindField("kind", .choice, .text),
            KindField("value", .longText, .text, isRequired: false),
            KindField("minimum", .number, .integer, isRequired: false),
            KindField("maximum", .number, .integer, isRequired: false),
        ],
    ]

    private static let featured = KindField("featured", .integer, isRequired: false, range: KindField.integers)
}
