// Lists every command of the program, in the order of its help.

enum CommandTable {
    static let all: [CommandEntry] =
        DevCommand.entries + ServeCommand.entries + DeliverCommand.entries + MigrateCommand.entries
        + DoctorCommand.entries + VersionCommand.entries + ConfigCommand.entries
        + QueueCommand.entries + BulkQueueCommand.entries + StatisticsCommand.entries + SimilarCommand.entries
        + NoteCommand.entries + ApprovalCommand.entries + StageCommand.entries + ScreeningCommand.entries
        + EntryCommand.entries + FeedCommand.entries + CategoryCommand.entries
        + PublishCommand.entries + ReleaseCommand.entries + ScheduleCommand.entries + PreviewCommand.entries
        + MediaCommand.entries + ExternalImageCommand.entries + VideoCommand.entries + CatalogCommand.entries
        + CatalogSourceCommand.entries
        + DemoCommand.entries
        + FeedImportCommand.entries + RouteImportCommand.entries + ObservationImportCommand.entries
        + ObservationCommand.entries + EntryImportCommand.entries + BundleCommand.entries + BadgeCommand.entries
        + AccountCommand.entries + SignInLinkCommand.entries + PasswordCommand.entries + SecondFactorCommand.entries
        + KeyCommand.entries + MailCommand.entries + ClientCommand.entries + ClientSecretCommand.entries
        + WebhookCommand.entries + WebhookDeliveryCommand.entries
        + TaskCommand.entries + AuditCommand.entries
}
