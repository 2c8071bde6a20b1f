// Names each store once, for reading on the pool and for writing in a transaction.

/// Anything that provides stores: `database.queue.page(...)` reads, `transaction.queue.claim(...)` writes.
package protocol Stores: Sendable {
    var connection: StoreConnection { get }
}

extension Stores {
    package var attention: AttentionStore { AttentionStore(connection: connection) }
    package var lateWork: LateWorkStore { LateWorkStore(connection: connection) }
    package var activity: ActivityStore { ActivityStore(connection: connection) }
    package var checklist: ChecklistStore { ChecklistStore(connection: connection) }
    package var accounts: AccountStore { AccountStore(connection: connection) }
    package var access: AccessStore { AccessStore(connection: connection) }
    package var roles: RoleStore { RoleStore(connection: connection) }
    package var attempts: AttemptStore { AttemptStore(connection: connection) }
    package var sessions: SessionStore { SessionStore(connection: connection) }
    package var autosaves: AutosaveStore { AutosaveStore(connection: connection) }
    package var formPosts: FormPostStore { FormPostStore(connection: connection) }
    package var secondFactors: SecondFactorStore { SecondFactorStore(connection: connection) }
    package var identities: IdentityStore { IdentityStore(connection: connection) }
    package var mails: MailStore { MailStore(connection: connection) }
    package var searchTerms: SearchTermStore { SearchTermStore(connection: connection) }
    package var clients: ClientStore { ClientStore(connection: connection) }
    package var auditTrail: AuditStore { AuditStore(connection: connection) }
    package var submissions: SubmissionStore { SubmissionStore(connection: connection) }
    package var submissionForms: SubmissionFormStore { SubmissionFormStore(connection: connection) }
    package var queue: QueueStore { QueueStore(connection: connection) }
    package var decisions: DecisionStore { DecisionStore(connection: connection) }
    package var contributors: ContributorStore { ContributorStore(connection: connection) }
    package var reputations: ReputationStore { ReputationStore(connection: connection) }
    package var outcomes: OutcomeStore { OutcomeStore(connection: connection) }
    package var notes: NoteStore { NoteStore(connection: connection) }
    package var bulkActions: BulkActionStore { BulkActionStore(connection: connection) }
    package var bulkEntries: BulkEntryStore { BulkEntryStore(connection: connection) }
    package var queueStatistics: QueueStatisticsStore { QueueStatisticsStore(connection: connection) }
    package var savedViews: SavedViewStore { SavedViewStore(connection: connection) }
    package var originals: OriginalStore { OriginalStore(connection: connection) }
    package var similarities: SimilarityStore { SimilarityStore(connection: connection) }
    package var submissionWords: SubmissionWordStore { SubmissionWordStore(connection: connection) }
    package var teamSearch: TeamSearchStore { TeamSearchStore(connection: connection) }
    package var screenings: ScreeningStore { ScreeningStore(connection: connection) }
    package var classifications: ClassificationStore { ClassificationStore(connection: connection) }
    package var classifier: ClassifierStore { ClassifierStore(connection: connection) }
    package var spam: SpamStore { SpamStore(connection: connection) }
    package var reviewStages: ReviewStageStore { ReviewStageStore(connection: connection) }
    package var entries: EntryStore { EntryStore(connection: connection) }
    package var feedOrders: FeedOrderStore { FeedOrderStore(connection: connection) }
    package var recentChoices: RecentChoiceStore { RecentChoiceStore(connection: connection) }
    package var categories: CategoryStore { CategoryStore(connection: connection) }
    package var imports: ImportStore { ImportStore(connection: connection) }
    package var history: HistoryStore { HistoryStore(connection: connection) }
    package var revisions: RevisionStore { RevisionStore(connection: connection) }
    package var zones: ZoneStore { ZoneStore(connection: connection) }
    package var releases: ReleaseStore { ReleaseStore(connection: connection) }
    package var schedule: ScheduleStore { ScheduleStore(connection: connection) }
    package var releaseItems: ReleaseItemStore { ReleaseItemStore(connection: connection) }
    package var previews: PreviewStore { PreviewStore(connection: connection) }
    package var publications: PublicationStore { PublicationStore(connection: connection) }
    package var webhooks: WebhookStore { WebhookStore(connection: connection) }
    package var outbox: OutboxStore { OutboxStore(connection: connection) }
    package var webhookDeliveries: WebhookDeliveryStore { WebhookDeliveryStore(connection: connection) }
    package var media: MediaStore { MediaStore(connection: connection) }
    package var mediaVersions: MediaVersionStore { MediaVersionStore(connection: connection) }
    package var uploads: UploadStore { UploadStore(connection: connection) }
    package var thumbnails: ThumbnailStore { ThumbnailStore(connection: connection) }
    package var decided: DecidedStore { DecidedStore(connection: connection) }
    package var viewers: ViewerStore { ViewerStore(connection: connection) }
    package var summaries: SummaryStore { SummaryStore(connection: connection) }
    package var reports: ReportStore { ReportStore(connection: connection) }
    package var reportCases: ReportCaseStore { ReportCaseStore(connection: connection) }
    package var reportStatistics: ReportStatisticsStore { ReportStatisticsStore(connection: connection) }
    package var resolved: ResolveReads { ResolveReads(connection: connection) }
    package var externalImages: ExternalImageStore { ExternalImageStore(connection: connection) }
    package var heartbeat: HeartbeatStore { HeartbeatStore(connection: connection) }
    package var backgroundTasks: BackgroundTaskStore { BackgroundTaskStore(connection: connection) }
    package var tasks: TaskStore { TaskStore(connection: connection) }
    package var playlists: PlaylistStore { PlaylistStore(connection: connection) }
    package var offline: OfflineReads { OfflineReads(connection: connection) }
    package var bundles: BundleStore { BundleStore(connection: connection) }
    package var releaseBundles: ReleaseBundleStore { ReleaseBundleStore(connection: connection) }
}
