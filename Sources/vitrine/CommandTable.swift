// Lists every command of the program, in the order of its help.

enum CommandTable {
    /// Those of the core and the packs of these names.
    static func entries(of packs: [String]) -> [CommandEntry] { core + packs.flatMap { ofPacks[$0] ?? [] } }

    private static let ofPacks: [String: [CommandEntry]] = [
        "places": EntryImportCommand.entries,
        "routes": RouteImportCommand.entries + ObservationImportCommand.entries + ObservationCommand.entries
            + BadgeCommand.entries,
        "lists": CatalogCommand.entries + CatalogSourceCommand.entries,
    ]

    private static let core: [CommandEntry] =
        DevCommand.entries + ServeCommand.entries + DeliverCommand.entries + MigrateCommand.entries
        + DoctorCommand.entries + VersionCommand.entries + ConfigCommand.entries
        + QueueCommand.entries + BulkQueueCommand.entries + StatisticsCommand.entries + SimilarCommand.entries
        + NoteCommand.entries + ApprovalCommand.entries + StageCommand.entries + ScreeningCommand.entries
        + EntryCommand.entries + FeedCommand.entries + CategoryCommand.entries
        + PublishCommand.entries + ReleaseCommand.entries + ScheduleCommand.entries + PreviewCommand.entries
        + MediaCommand.entries + ExternalImageCommand.entries + VideoCommand.entries
        + DemoCommand.entries
        + FeedImportCommand.entries + BundleCommand.entries
        + AccountCommand.entries + SignInLinkCommand.entries + PasswordCommand.entries + SecondFactorCommand.entries
        + KeyCommand.entries + ClientCommand.entries + ClientSecretCommand.entries
        + WebhookCommand.entries + WebhookDeliveryCommand.entries
        + TaskCommand.entries + AuditCommand.entries
}
