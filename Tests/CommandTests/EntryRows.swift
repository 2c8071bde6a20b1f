// Commands of entries, categories, publications and releases.

extension CommandGroup {
    static let entries = CommandGroup(
        name: "entries",
        rows: [
            .init("entry create", "{article} --type article --publish", refused: "{malformed} --type article"),
            .init("entry update", "{entry} {article} --note Better", refused: "{unknown} {article}", exits: .notFound),
            .init("entry list", "--type article", refused: "--state lost"),
            .init("entry show", "{entry}", refused: "article:none", exits: .notFound),
            .init("entry approve", "{entry}", refused: "{unknown}", exits: .notFound),
            .init("entry unpublish", "{published}", refused: "{unknown}", exits: .notFound),
            .init("feed create", "{slug} --title Feed --tier premium", refused: "{slug} --title Feed --tier gold"),
            .init("feed list"),
            .init("publish plan", .run("{waiting}")),
            .init("publish now", .run("{waiting}")),
            .init(
                "publish verify", .run("{difference} --since 0 --jobs 2", exits: .failure),
                refused: .run("--since 999999", exits: .notFound)),
            .init("publish repair", .run("{difference} --jobs 2"), refused: .run("--jobs 0")),
        ])

    static let categories = CommandGroup(
        name: "categories",
        rows: [
            .init("category list"),
            .init("category create", "{title} --group 2", refused: "{title} --group 3"),
            .init("category update", "{category} {title}", refused: "{unknown} {title}", exits: .notFound),
            .init("category move", "{category} --group 2", refused: "{category}"),
            .init(
                "category merge", "{category} --into {category}", refused: "{category} --into {slug}",
                exits: .notFound),
            .init("category unmerge", "{merged}", refused: "{category}", exits: .conflict),
            .init("category archive", "{category}", refused: "{unknown}", exits: .notFound),
        ])

    static let releases = CommandGroup(
        name: "releases",
        rows: [
            .init("release create", "{title}", refused: ""),
            .init("release list"),
            .init("release show", "{filled}", refused: "99999", exits: .notFound),
            .init("release add", "{release} {approved}", refused: "{release} {unknown}", exits: .notFound),
            .init("release remove", "{holding}", refused: "{release} {unknown}", exits: .notFound),
            .init("release plan", "{filled}", refused: "99999", exits: .notFound),
            .init("release publish", "{filled}", refused: "{release}", exits: .conflict),
            .init("release schedule", "{filled} --at 2099-01-01T00:00:00Z", refused: "{filled}"),
            .init("release cancel", "{filled}", refused: "99999", exits: .notFound),
            .init("release duplicate", "{filled} {title}", refused: "99999 {title}", exits: .notFound),
            .init("release move", "{holding} --title Later", refused: "{holding}"),
            .init("release rollback", "{earlier}", refused: "99999", exits: .notFound),
            .init("release export", "{filled}", refused: "spring"),
            .init("release import", "{exported}", refused: "{malformed}"),
            .init("schedule list"),
            .init("preview create", "{title} --at 2099-01-01T00:00:00Z", refused: "{title}"),
            .init("preview list"),
            .init("preview revoke", "{preview}", refused: "{unknown}", exits: .notFound),
        ])
}
