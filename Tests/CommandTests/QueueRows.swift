// Commands of the program itself, of the queue and of reviews.

extension CommandGroup {
    static let service = CommandGroup(
        name: "service",
        rows: [
            .init(
                "dev", .none(reason: "It serves until it is stopped."), refused: .run("--port 70000")),
            .init(
                "dev sanitize", .run("--jsonl", input: #"{"html":"<p onclick=a()>b</p>"}"#),
                refused: .run("", input: "{\"html\":")),
            .init(
                "dev feed-parse", .run("", input: #"{"base64":"PHJzcy8+"}"#), refused: .run("--xml")),
            .init("dev read-tables"),
            .init("dev messages", .run(""), refused: .run("--json")),
            .init("dev permissions"),
            .init("dev projections"),
            .init("dev admin-endpoints", .run(""), refused: .run("--json")),
            .init("serve", .none(reason: "It serves until it is stopped.")),
            .init("deliver", .none(reason: "It serves until it is stopped.")),
            .init("migrate"),
            // The test cluster is not durable.
            .init("doctor", .run("", exits: .failure), refused: .run("--fix")),
            .init("version", .run(""), refused: .run("--short")),
            .init("config show", .run("--origin"), refused: .run("listen.port")),
        ])

    static let queue = CommandGroup(
        name: "queue",
        rows: [
            .init("queue show", "{submission}", refused: "{unknown}", exits: .notFound),
            .init("queue list", "--type article", refused: "--sort wrong"),
            .init("queue approve", "{submission} {submission} --feed {feed} --category unsorted", refused: ""),
            .init("queue reject", "{submission} --reason spam", refused: "{submission} --reason dull"),
            .init("queue snooze", "{submission} --hours 2", refused: "{submission}"),
            .init("queue unsnooze", "{snoozed}", refused: "tomorrow"),
            .init(
                "queue assign", "{submission} --to role:editor", refused: "{submission} --to {email}",
                exits: .notFound),
            .init("queue update", "{submission} --priority high", refused: "{submission} --priority 9"),
            .init(
                "queue duplicate", "{submission} --of {submission}", refused: "{submission} --of {unknown}",
                exits: .notFound),
            .init("queue undo", "{rejected}", refused: "{unknown}", exits: .notFound),
            .init("statistics show"),
            .init("similar list", "{similar}", refused: "{unknown}", exits: .notFound),
            .init("contributor list", "--status blocked {someBlocked}", refused: "--status unknown"),
            .init("contributor block", "{contributor} --reason Spam --hours 24", refused: "{contributor}"),
            .init("contributor unblock", "{blocked}", refused: "{contributor}", exits: .conflict),
            .init(
                "contributor trust", "{contributor} --reason Colleague", refused: "{contributor} --reason A --hours 0"),
            .init("contributor untrust", "{trusted}", refused: "{contributor}", exits: .conflict),
            .init("contributor export", "{contributor}", refused: "{unknown}", exits: .notFound),
            .init("contributor erase", "{decided}", refused: "{unknown}", exits: .notFound),
            .init("report list", "--reason spam --sort oldest {someReported}", refused: "--reason dull"),
            .init("report show", "{reported}", refused: "{unknown}", exits: .notFound),
            .init(
                "report decide", "{reported} --outcome unpublish --note Gone",
                refused: "{reported} --outcome block --note Spam", exits: .conflict),
            .init("note create", "{submission} {text}", refused: "{unknown} {text}", exits: .notFound),
        ])

    static let review = CommandGroup(
        name: "review",
        rows: [
            .init("approval create", "{staged}", refused: "{unknown}", exits: .notFound),
            .init("approval withdraw", "{approvedOnce}", refused: "{unknown}", exits: .notFound),
            .init("stage list"),
            .init("stage update", "video {stage}", refused: "video Editors"),
            .init("screening show", "", refused: "--version 99", exits: .notFound),
            .init("screening create", "{rules} --note Better", refused: "{malformed} --note Worse"),
            .init("screening activate", "{version}", refused: "99", exits: .notFound),
        ])
}
