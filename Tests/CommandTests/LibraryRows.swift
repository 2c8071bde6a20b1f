// Commands of media, catalogs, demo content, imports and exports.

extension CommandGroup {
    static let media = CommandGroup(
        name: "media",
        rows: [
            .init("media create", "{png} --alt Boats", refused: "{malformed}"),
            .init("media list", "", refused: "--state lost"),
            .init("media show", "{image}", refused: "{unknown}", exits: .notFound),
            .init("media update", "{image} --alt Boats", refused: "{unknown} --alt Boats", exits: .notFound),
            .init("media delete", "{image}", refused: "{unknown}", exits: .notFound),
            .init("media verify"),
            .init(
                "media adopt", .run("--confirm {store}", isAlone: true),
                refused: .run("--confirm other", exits: .conflict)),
            .init("external-image list", "{fetched}", refused: "--state lost"),
            .init("external-image retry", "{failedImage}", refused: "{unknown}", exits: .notFound),
            .init("video verify", "{video} --file {playlist}", refused: "--file {playlist}"),
            .init("catalog search", "movie title text={itemTitle}", refused: "stamp latest"),
            .init("catalog show", "{item}", refused: "{unknown}", exits: .notFound),
            // Its source is not configured.
            .init("catalog refresh", .run("{item}", exits: .failure), refused: .run("{unknown}", exits: .notFound)),
            .init("catalog relist", "{item}", refused: "{unknown}", exits: .notFound),
            .init("catalog unlist", "{item}", refused: "{unknown}", exits: .notFound),
            .init(
                "catalog move", "{item} --source tmdb --external-id {slug}",
                refused: "{unknown} --source tmdb --external-id 1", exits: .notFound),
            .init("catalog-source list", .run("{source}")),
        ])

    /// With objects of the demo content.
    static let demo = CommandGroup(
        name: "demo",
        rows: [
            .init("demo", "", refused: "circus", exits: .notFound),
            .init("badge plan", "--set routes.zoom_max_elevation_m=0", refused: "--set zoom"),
            .init(
                "observation delete", "--kind obstruction --city Saltmarsh --source demo",
                refused: "--kind noise --city London"),
        ])

    static let imports = CommandGroup(
        name: "imports",
        rows: [
            .init("import feed", "{rss}", refused: "{path}", exits: .notFound),
            .init("import routes", "{gpx} --city London --publish", refused: "{path}", exits: .notFound),
            .init("import postcodes", "{postcodes}", refused: "{path}", exits: .notFound),
            .init("import air", "{air} --city London", refused: "{path}", exits: .notFound),
            .init("import obstructions", "{obstructions} --city London", refused: "{path}", exits: .notFound),
            .init("observation list", "--kind obstruction", refused: "--from yesterday"),
            .init("import cities", "{cities} --publish", refused: "{path}", exits: .notFound),
            .init(
                "import places", "{places} --city Gent --category unsorted --image https://images.example/a.jpg",
                refused: "{path} --city London", exits: .notFound),
            .init("export", .run("--file {path}"), refused: .run("--file /none/here", exits: .conflict)),
            .init("import bundle", .run("{bundle}", isAlone: true), refused: .run("{malformed}")),
        ])
}
