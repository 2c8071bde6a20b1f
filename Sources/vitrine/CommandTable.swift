// Every command of the program, in the order in which help lists them.

enum CommandTable {
    static let all: [CommandEntry] =
        DevCommand.entries + ServeCommand.entries + DeliverCommand.entries + MigrateCommand.entries
        + QueueCommand.entries
        + QueueManyCommand.entries + ScreeningCommand.entries + StageCommand.entries + EntryCommand.entries
        + FeedCommand.entries + CategoryCommand.entries + PublishCommand.entries + ReleaseCommand.entries
        + ScheduleCommand.entries
        + PreviewCommand.entries
        + MediaCommand.entries
        + VideoCommand.entries
        + CatalogCommand.entries + DemoCommand.entries
        + ImportCommand.entries
        + ImportRoutesCommand.entries
        + ImportObservationsCommand.entries + BadgesCommand.entries
        + ImportEntriesCommand.entries + BundleCommand.entries
        + AccountCommand.entries + MailCommand.entries + ClientCommand.entries + WebhookCommand.entries
        + TaskCommand.entries
        + AuditCommand.entries
        + DoctorCommand.entries + ConfigCommand.entries
}
