// Lists every command of the program, in the order of its help.
import CommandKit
import Packs
import Platform
import Store

enum CommandTable {
    /// Those of the core and of these packs.
    static func entries(of packs: PackSet) -> [CommandEntry] {
        core + packs.parts(PackCommands.self).flatMap(\.entries)
    }

    /// Those of all packs if the configuration can't be read, which the command reports.
    static func entries(_ environment: [String: String]) -> [CommandEntry] {
        let packs = try? Settings.load(flags: [:], environment: environment).enabledPacks()
        return entries(of: packs ?? PackSet(RegisteredPacks.all))
    }

    private static let core: [CommandEntry] =
        DevCommand.entries + ServeCommand.entries + DeliverCommand.entries + MigrateCommand.entries
        + DoctorCommand.entries + VersionCommand.entries + ConfigCommand.entries
        + QueueCommand.entries + BulkQueueCommand.entries + StatisticsCommand.entries + SimilarCommand.entries
        + NoteCommand.entries + ContributorCommand.entries + ReportCommand.entries + ApprovalCommand.entries
        + StageCommand.entries
        + ScreeningCommand.entries
        + EntryCommand.entries + FeedCommand.entries + CategoryCommand.entries
        + PublishCommand.entries + ReleaseCommand.entries + ReleaseSplitCommand.entries + ScheduleCommand.entries
        + PreviewCommand.entries
        + MediaCommand.entries + ExternalImageCommand.entries + VideoCommand.entries
        + DemoCommand.entries
        + FeedImportCommand.entries + ExportCommand.entries + ReleaseBundleCommand.entries + BundleImportCommand.entries
        + AccountCommand.entries + RoleCommand.entries + SignInLinkCommand.entries + PasswordCommand.entries
        + SecondFactorCommand.entries
        + KeyCommand.entries + ClientCommand.entries + ClientSecretCommand.entries + SubmissionFormCommand.entries
        + WebhookCommand.entries + WebhookDeliveryCommand.entries
        + TaskCommand.entries + AuditCommand.entries
}
