// Commands of accounts, clients, webhooks, mails, tasks and the audit trail.

extension CommandGroup {
    static let access = CommandGroup(
        name: "access",
        rows: [
            .init("account create", "{email} --name Ann --role editor", refused: "{email} --name Ann --role king"),
            .init(
                "account invite", "{email} --name Ann --role editor", refused: "not-an-address --name Ann --role editor"
            ),
            .init("account list"),
            .init("account update", "{account} --role publisher", refused: "{account}"),
            .init("account disable", "{account}", refused: "{email}", exits: .notFound),
            .init("account enable", "{disabled}", refused: "{email}", exits: .notFound),
            .init("role list"),
            .init(
                "role create", "{slug} --label Moderator --permissions decide,suggest",
                refused: "editor --label Editor --permissions edit"),
            .init("role update", "{role} --label Helper", refused: "curator --permissions decide", exits: .conflict),
            .init("role delete", "{role}", refused: "{slug}", exits: .notFound),
            .init("sign-in-link create", "{account}", refused: "{email}", exits: .notFound),
            .init(
                "password update", "{account} --password-file {password}",
                refused: "{account} --password-file {path}", exits: .notFound),
            .init("second-factor show", "{guarded}", refused: "{email}", exits: .notFound),
            .init("second-factor delete", "{guarded}", refused: "{account}", exits: .notFound),
            .init("client create", "portal --scopes submit --per-minute 60", refused: "portal --scopes all"),
            .init("client list"),
            .init("client rotate", "{client} --overlap 4", refused: "{unknown}", exits: .notFound),
            .init("client update", "{client} --per-minute 5", refused: "{unknown}", exits: .notFound),
            .init("client revoke", "{client}", refused: "{unknown}", exits: .notFound),
            .init("client-secret revoke", "{rotated}", refused: "{unknown}", exits: .notFound),
            .init(
                "submission-form create", "{slug} --type article --title Stories --origin https://example.org --on",
                refused: "{slug} --type article --title Stories --origin example.org"),
            .init("submission-form list"),
            .init("submission-form enable", "{form}", refused: "{slug}", exits: .notFound),
            .init("submission-form disable", "{form}", refused: "{slug}", exits: .notFound),
            .init("submission-form delete", "{form}", refused: "{slug}", exits: .notFound),
        ])

    static let webhooks = CommandGroup(
        name: "webhooks",
        rows: [
            .init("webhook create", "https://app.example/{slug}", refused: "nowhere"),
            .init("webhook list"),
            .init("webhook show", "{webhook}", refused: "{unknown}", exits: .notFound),
            .init("webhook delete", "{webhook}", refused: "{unknown}", exits: .notFound),
            .init("webhook pause", "{webhook}", refused: "{paused}", exits: .conflict),
            .init("webhook resume", "{paused}", refused: "{unknown}", exits: .notFound),
            .init("webhook rotate", "{webhook}", refused: "{unknown}", exits: .notFound),
            .init("webhook test", "{webhook}", refused: "{paused}", exits: .conflict),
            .init("webhook replay", "{webhook} --since 1", refused: "{webhook}"),
            .init("webhook-delivery list", "{tested}", refused: "{unknown}", exits: .notFound),
            .init("key adopt", "--confirm {fingerprint}", refused: "--confirm other", exits: .conflict),
        ])

    static let operations = CommandGroup(
        name: "operations",
        rows: [
            .init("task retry", "{failedTask}", refused: "{unknown}", exits: .notFound),
            .init("task list", "", refused: "--state lost"),
            .init("audit list", "--limit 5", refused: "--from yesterday"),
            .init("audit export", "--format jsonl", refused: "--from yesterday"),
            .init("audit verify", "", refused: "--file {path}", exits: .notFound),
            .init("audit archive", "--before 2020-01 --output {path}", refused: "--before soon --output {path}"),
        ])
}
