// Every page and form of the admin: method, path, who may use it, access scope, and its handler. Those of accounts and
// clients are in AccountEndpointTable.
import Domain
import Store

extension AdminSite {
    /// Those of the core and the enabled packs.
    static func endpoints(_ packs: PackSet) -> [AdminEndpoint] {
        signIn + core + accounts + packs.parts(PackPages.self).flatMap(\.endpoints)
    }

    private static let core: [AdminEndpoint] = [
        // Home
        .get(AdminURL.home, .may(.readQueue), .filtered, HomePages.show),
        .post(AdminURL.checklistDismiss, .may(.administer), .unrestricted, HomePages.dismissChecklist),

        // Design: in development only
        .get(AdminURL.design, .may(.readQueue), .none, DesignPage.show),

        // Autosave
        .get(AdminURL.autosaves, .may(.readQueue), .own, AutosavePages.list),
        .post(AdminURL.autosaves, .may(.readQueue), .own, flags: [.takesDraft], AutosavePages.save),
        .post(AdminURL.autosaveDelete, .may(.readQueue), .own, AutosavePages.discard),

        // Search
        .get(AdminURL.search, .may(.readQueue), .filtered, SearchPages.show),

        // Mention
        .get(AdminURL.mentions, .may(.readQueue), .filtered, MentionPages.list),

        // Queue
        .get(AdminURL.queue, .may(.readQueue), .filtered) { try await QueuePages.show($0) },
        .get(AdminURL.queueCounts, .may(.readQueue), .filtered, flags: [.quiet], QueueCounts.show),
        .get(AdminURL.queueDensity, .may(.readQueue), .own, QueueDensity.choose),
        .get(AdminURL.decided, .may(.readQueue), .filtered, DecidedPages.list),
        .post(AdminURL.savedViews, .may(.readQueue), .own, flags: [.creates], QueuePages.save),
        .post(AdminURL.savedViewDelete, .may(.readQueue), .own, QueuePages.delete),

        // Bulk action: which permission it takes depends on the action
        .post(AdminURL.bulkActions, .may(.readQueue), .operation, flags: [.creates], BulkActionPages.plan),
        .get(AdminURL.bulkAction, .may(.readQueue), .filtered) { try await BulkActionPages.show($0) },
        .post(AdminURL.bulkActionRun, .may(.readQueue), .bulkAction("id"), BulkActionPages.run),
        .post(AdminURL.bulkActionUndo, .may(.readQueue), .bulkAction("id"), BulkActionPages.undo),

        // Queue statistics
        .get(AdminURL.queueStatistics, .may(.readQueue), .filtered, QueueStatisticsPages.show),

        // Review
        .get(AdminURL.submission, .may(.readQueue), .submission("id"), ReviewPages.show),
        .post(AdminURL.submissionClaim, .may(.decide), .submission("id"), ReviewPages.claim),
        .post(AdminURL.submissionDecision, .may(.decide), .submission("id"), ReviewPages.decide),
        .post(AdminURL.submissionUndo, .may(.decide), .submission("id"), ReviewPages.undo),

        // Submission action
        .post(
            AdminURL.submissionClaimRenew, .may(.decide), .submission("id"), flags: [.quiet],
            SubmissionActionPages.renew),
        .post(
            AdminURL.submissionViewers, .may(.readQueue), .submission("id"), flags: [.quiet],
            SubmissionActionPages.viewers),
        .post(AdminURL.submissionSnooze, .may(.decide), .submission("id"), SubmissionActionPages.snooze),
        .post(AdminURL.submissionUnsnooze, .may(.decide), .submission("id"), SubmissionActionPages.unsnooze),
        .post(AdminURL.submissionAssign, .may(.decide), .submission("id"), SubmissionActionPages.assign),
        .post(AdminURL.submissionPriority, .may(.decide), .submission("id"), SubmissionActionPages.setPriority),
        .post(
            AdminURL.submissionNotes, .may(.decide), .submission("id"), flags: [.creates], SubmissionActionPages.note),

        // Similarity
        .get(AdminURL.submissionSimilar, .may(.readQueue), .submission("id"), SimilarityPages.show),

        // Contributor: a status concerns everything that the contributor sends
        .get(AdminURL.contributors, .may(.readQueue), .filtered, ContributorPages.list),
        .get(AdminURL.contributor, .may(.readQueue), .filtered, ContributorPages.submissions),
        .get(AdminURL.contributorReports, .may(.readQueue), .filtered, ContributorPages.reports),
        .get(AdminURL.contributorMessages, .may(.readQueue), .filtered, ContributorPages.messages),
        .get(AdminURL.contributorNotes, .may(.readQueue), .filtered) { try await ContributorPages.notes($0) },
        .get(AdminURL.contributorStatus, .may(.readQueue), .filtered) { try await ContributorPages.status($0) },
        .post(AdminURL.contributorStatus, .may(.decide), .unrestricted, ContributorPages.setStatus),
        .post(AdminURL.contributorNotes, .may(.decide), .operation, flags: [.creates], ContributorPages.addNote),
        .get(AdminURL.contributorExport, .may(.administer), .unrestricted, ContributorPages.export),
        .get(AdminURL.contributorErase, .may(.administer), .unrestricted) { try await ContributorPages.confirm($0) },
        .post(AdminURL.contributorErase, .may(.administer), .unrestricted, ContributorPages.erase),

        // Report: what the decision takes depends on its outcome
        .get(AdminURL.reports, .may(.readQueue), .filtered, ReportPages.list),
        .get(AdminURL.report, .may(.readQueue), .reportCase("id")) { try await ReportPages.show($0) },
        .post(AdminURL.reportDecision, .may(.decide), .reportCase("id"), ReportPages.decide),

        // Screening
        .get(AdminURL.screening, .may(.readQueue), .none) { try await ScreeningPages.list($0) },
        .post(AdminURL.screening, .may(.publish), .unrestricted, flags: [.creates], ScreeningPages.create),
        .get(AdminURL.screeningVersion, .may(.readQueue), .filtered, ScreeningPages.show),
        .post(AdminURL.screeningVersionActivate, .may(.publish), .unrestricted, ScreeningPages.activate),

        // Review stage
        .get(AdminURL.reviewStages, .may(.readQueue), .none) { try await ReviewStagePages.show($0) },
        .post(AdminURL.reviewStages, .may(.administer), .unrestricted, ReviewStagePages.update),
        .post(AdminURL.submissionApprovalWithdraw, .may(.decide), .submission("id"), ReviewStagePages.withdraw),

        // Submission form
        .get(AdminURL.submit, .anyone, .none, flags: [.cookieless]) { try await SubmitPages.show($0) },
        .post(AdminURL.submit, .anyone, .none, flags: [.cookieless, .takesImage], SubmitPages.submit),
        .get(AdminURL.submissionForms, .may(.administer), .unrestricted) { try await SubmissionFormPages.list($0) },
        .post(
            AdminURL.submissionForms, .may(.administer), .unrestricted, flags: [.creates], SubmissionFormPages.create),
        .get(AdminURL.submissionForm, .may(.administer), .unrestricted) { try await SubmissionFormPages.show($0) },
        .post(AdminURL.submissionForm, .may(.administer), .unrestricted, SubmissionFormPages.update),
        .get(AdminURL.submissionFormDelete, .may(.administer), .unrestricted) {
            try await SubmissionFormPages.confirm($0)
        },
        .post(AdminURL.submissionFormDelete, .may(.administer), .unrestricted, SubmissionFormPages.delete),

        // Status
        .get(AdminURL.status, .anyone, .none) { try await StatusPages.show($0) },
        .post(AdminURL.statusResubmit, .anyone, .none, flags: [.takesImage], StatusPages.resubmit),
        .post(AdminURL.statusAppeal, .anyone, .none, StatusPages.appeal),
        .post(AdminURL.submissionStatusLink, .may(.decide), .submission("id"), StatusPages.rotateLink),

        // Entry
        .get(AdminURL.entries, .may(.readQueue), .filtered) { try await EntryListPages.show($0) },
        .get(AdminURL.entryNew, .may(.suggest), .operation, EntryEditPages.new),
        .post(AdminURL.entries, .may(.suggest), .operation, flags: [.takesImage, .creates], EntryEditPages.create),
        .get(AdminURL.entryChoices, .may(.readQueue), .filtered, EntryPicker.choices),
        .post(
            AdminURL.entryPreview, .may(.readQueue), .operation, flags: [.takesImage, .quiet], EntryPreviewPages.show),
        .get(AdminURL.entry, .may(.readQueue), .entry("id")) { try await EntryPages.show($0) },

        // Entry edit
        .get(AdminURL.entryRevisions, .may(.suggest), .entry("id"), EntryEditPages.edit),
        .post(
            AdminURL.entryRevisions, .may(.suggest), .entry("id"), flags: [.takesImage, .creates], EntryEditPages.save),

        // Entry history
        .get(AdminURL.entryHistory, .may(.readQueue), .entry("id"), EntryHistoryPages.list),
        .get(AdminURL.entryRestore, .may(.suggest), .entry("id"), EntryHistoryPages.confirm),
        .get(AdminURL.entryComparison, .may(.readQueue), .entry("id"), EntryHistoryPages.compare),
        .post(AdminURL.entryRestore, .may(.suggest), .entry("id"), flags: [.creates], EntryHistoryPages.restore),

        // Entry note
        .post(AdminURL.entryNotes, .may(.decide), .entry("id"), flags: [.creates], EntryNotePages.create),

        // Entry publish
        .post(AdminURL.entryApprove, .may(.approve), .entry("id"), EntryPublishPages.approve),
        .post(AdminURL.entryPublish, .may(.publish), .entry("id"), EntryPublishPages.publish),
        .get(AdminURL.entryUnpublish, .may(.publish), .entry("id")) { try await EntryPublishPages.ask($0) },
        .post(AdminURL.entryUnpublish, .may(.publish), .entry("id"), EntryPublishPages.unpublish),

        // Entry stream
        .post(AdminURL.entryVerifyStream, .may(.edit), .entry("id"), EntryStreamPages.check),

        // Feed
        .get(AdminURL.feeds, .may(.readQueue), .filtered, FeedPages.list),

        // Feed order
        .get(AdminURL.feedOrder, .may(.readQueue), .entry("id")) { try await FeedOrderPages.show($0) },
        .post(AdminURL.feedOrder, .may(.suggest), .entry("id"), FeedOrderPages.order),

        // Category
        .get(AdminURL.categories, .may(.readQueue), .filtered) { try await CategoryPages.list($0) },

        // Category action
        .post(AdminURL.categories, .may(.edit), .operation, flags: [.creates], CategoryActionPages.create),
        .post(AdminURL.categoriesMove, .may(.suggest), .operation, CategoryActionPages.step),
        .post(AdminURL.categoryName, .may(.suggest), .entry("id"), CategoryActionPages.rename),
        .post(AdminURL.categoryGroup, .may(.suggest), .entry("id"), CategoryActionPages.move),
        .post(AdminURL.categoryUnmerge, .may(.suggest), .entry("id"), CategoryActionPages.unmerge),

        // Category merge
        .get(AdminURL.categoryMerge, .may(.suggest), .entry("id")) { try await CategoryMergePages.ask($0) },
        .post(AdminURL.categoryMerge, .may(.suggest), .entry("id"), CategoryMergePages.merge),
        .get(AdminURL.categoryArchive, .may(.createRelease), .entry("id")) {
            try await CategoryMergePages.askArchive($0)
        },
        .post(AdminURL.categoryArchive, .may(.createRelease), .entry("id"), CategoryMergePages.archive),

        // Release
        .get(AdminURL.releases, .may(.readQueue), .filtered) { try await ReleasePages.list($0) },
        .post(AdminURL.releases, .may(.createRelease), .operation, flags: [.creates], ReleasePages.create),
        .get(AdminURL.release, .may(.readQueue), .filtered) { try await ReleasePages.show($0) },
        .post(AdminURL.releaseDuplicate, .may(.createRelease), .operation, flags: [.creates], ReleasePages.duplicate),

        // Release item
        .post(AdminURL.releaseItems, .may(.createRelease), .operation, ReleaseItemPages.addPending),
        .post(AdminURL.entryRelease, .may(.createRelease), .entry("id"), flags: [.creates], ReleaseItemPages.add),
        .post(AdminURL.releaseItemDelete, .may(.createRelease), .entry("id"), ReleaseItemPages.remove),
        .get(AdminURL.releaseItem, .may(.readQueue), .entry("id"), ReleaseItemPages.conflict),
        .post(AdminURL.releaseMove, .may(.createRelease), .operation, flags: [.creates], ReleaseItemPages.move),

        // Release action
        .post(AdminURL.releasePublish, .may(.publish), .release("number"), ReleaseActionPages.publish),
        .get(AdminURL.releaseSchedule, .may(.publish), .release("number")) { try await ReleaseTimePages.ask($0) },
        .post(AdminURL.releaseSchedule, .may(.publish), .release("number"), ReleaseActionPages.schedule),
        .post(AdminURL.releaseScheduleUndo, .may(.publish), .release("number"), ReleaseTimePages.undo),
        .post(AdminURL.releaseCancel, .may(.publish), .release("number"), ReleaseActionPages.cancel),

        // Preview
        .get(AdminURL.previews, .may(.readQueue), .unrestricted) { try await PreviewPages.list($0) },
        .post(AdminURL.previews, .may(.createRelease), .unrestricted, flags: [.creates], PreviewPages.create),
        .post(AdminURL.previewRevoke, .may(.createRelease), .unrestricted, PreviewPages.revoke),

        // Preview link
        .get(AdminURL.preview, .anyone, .none) { try await PreviewLinkPages.show($0) },
        .get(AdminURL.previewShared, .anyone, .none) { try await PreviewLinkPages.show($0) },
        .get(AdminURL.previewFeed, .anyone, .none, PreviewLinkPages.feed),
        .get(AdminURL.previewItem, .anyone, .none, PreviewLinkPages.item),
        .post(AdminURL.previewApprove, .anyone, .none, PreviewLinkPages.approve),

        // Schedule
        .get(AdminURL.schedule, .may(.readQueue), .filtered, SchedulePages.list),

        // Task
        .get(AdminURL.tasks, .may(.readQueue), .unrestricted, TaskPages.list),
        .post(AdminURL.tasksRetry, .may(.publish), .unrestricted, TaskPages.retryAll),
        .post(AdminURL.taskRetry, .may(.publish), .unrestricted, TaskPages.retry),

        // Publication
        .get(AdminURL.publications, .may(.readQueue), .filtered, PublicationPages.list),
        .get(AdminURL.publicationsPlan, .may(.readQueue), .unrestricted) { try await PublicationPages.plan($0) },
        .post(AdminURL.publications, .may(.publish), .unrestricted, PublicationPages.publish),

        // Rollback
        .get(AdminURL.publication, .may(.readQueue), .filtered, RollbackPages.show),
        .get(AdminURL.publicationRollback, .may(.publish), .unrestricted) {
            try await RollbackPages.confirm($0)
        },
        .post(AdminURL.publicationRollback, .may(.publish), .unrestricted, RollbackPages.rollback),

        // Webhook
        .get(AdminURL.webhooks, .may(.administer), .unrestricted) { try await WebhookPages.list($0) },
        .post(AdminURL.webhooks, .may(.administer), .unrestricted, flags: [.creates], WebhookPages.create),
        .get(AdminURL.webhook, .may(.administer), .unrestricted) { try await WebhookPages.show($0) },

        // Webhook action
        .post(AdminURL.webhookPause, .may(.administer), .unrestricted, WebhookActionPages.pause),
        .post(AdminURL.webhookResume, .may(.administer), .unrestricted, WebhookActionPages.resume),
        .post(AdminURL.webhookRotate, .may(.administer), .unrestricted, flags: [.creates], WebhookActionPages.rotate),
        .post(AdminURL.webhookTest, .may(.administer), .unrestricted, WebhookActionPages.test),
        .post(AdminURL.webhookDelete, .may(.administer), .unrestricted, WebhookActionPages.delete),
        .post(AdminURL.webhookReplay, .may(.administer), .unrestricted, WebhookActionPages.replaySince),
        .get(AdminURL.webhookDelivery, .may(.administer), .unrestricted, WebhookActionPages.showDelivery),
        .post(AdminURL.webhookDeliveryReplay, .may(.administer), .unrestricted, WebhookActionPages.replay),

        // Onboarding
        .get(AdminURL.onboarding, .may(.readQueue), .type("onboarding_set"), OnboardingPages.list),
        .get(AdminURL.onboardingSet, .may(.readQueue), .entry("id"), OnboardingPages.show),

        // Text
        .get(AdminURL.texts, .may(.readQueue), .type("text")) { try await TextPages.list($0) },
        .post(AdminURL.text, .may(.suggest), .entry("id"), TextPages.save),

        // Setting
        .get(AdminURL.settings, .may(.readQueue), .type("setting")) { try await SettingPages.list($0) },
        .post(AdminURL.settings, .may(.suggest), .type("setting"), SettingPages.save),

        // Media
        .get(AdminURL.media, .may(.readQueue), .filtered) { try await MediaPages.list($0) },
        .post(AdminURL.media, .may(.suggest), .none, flags: [.takesImage, .creates], MediaPages.add),
        .post(AdminURL.mediaDescriptions, .may(.suggest), .operation) { try await MediaPages.describe($0) },
        .get(AdminURL.image, .may(.readQueue), .image("id")) { try await ImagePages.show($0) },
        .post(AdminURL.image, .may(.suggest), .image("id"), ImagePages.update),
        .post(
            AdminURL.imageReplace, .may(.edit), .image("id"), flags: [.takesImage, .creates], ImagePages.replace),
        .post(AdminURL.imageRestore, .may(.edit), .image("id"), ImagePages.restore),
        .post(AdminURL.imageDelete, .may(.edit), .image("id"), ImagePages.delete),
        .get(AdminURL.imageFile, .may(.readQueue), .image("id"), flags: [.image], ImagePages.file),

        // Upload
        .get(AdminURL.upload, .may(.suggest), .own, UploadPages.show),
        .post(AdminURL.upload, .may(.suggest), .own, flags: [.takesImage], UploadPages.receive),
        .post(AdminURL.uploadDelete, .may(.suggest), .own, UploadPages.cancel),

        // External image
        .get(AdminURL.externalImages, .may(.readQueue), .unrestricted, ExternalImagePages.list),
        .post(AdminURL.externalImageRetry, .may(.edit), .unrestricted, ExternalImagePages.retry),
    ]
}
