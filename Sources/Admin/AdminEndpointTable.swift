// Every page and form of the admin: method, path, who may use it, access scope, and its handler.
import Domain
import Store

extension AdminSite {
    /// Those of the core and the enabled packs.
    static func endpoints(_ packs: PackSet) -> [AdminEndpoint] {
        core + packs.parts(PackPages.self).flatMap(\.endpoints)
    }

    private static let core: [AdminEndpoint] = [
        // Sign in
        .get(AdminURL.login, .anyone, .none, SignInPages.show),
        .post(AdminURL.login, .anyone, .none, SignInPages.signIn),
        .get(AdminURL.loginCode, .anyone, .none) { try await SignInCode.show($0) },
        .post(AdminURL.loginCode, .anyone, .none, SignInCode.send),
        .get(AdminURL.loginLink, .anyone, .none, SignInPages.showLink),
        .post(AdminURL.loginLink, .anyone, .none, SignInPages.useLink),
        .post(AdminURL.logout, .may(.readQueue), .own, flags: [.beforeSecondFactor], SignInPages.signOut),

        // Home
        .get(AdminURL.home, .may(.readQueue), .none) { request in request.redirect(to: AdminURL.queue(), request.flash)
        },

        // Queue
        .get(AdminURL.queue, .may(.readQueue), .filtered) { try await QueuePages.show($0) },
        .get(AdminURL.queueCounts, .may(.readQueue), .filtered, flags: [.quiet], QueuePages.counts),
        .post(AdminURL.savedViews, .may(.readQueue), .own, QueuePages.save),
        .post(AdminURL.savedViewDelete, .may(.readQueue), .own, QueuePages.delete),

        // Bulk action
        .post(AdminURL.bulkActions, .may(.decide), .operation, BulkActionPages.plan),
        .get(AdminURL.bulkAction, .may(.decide), .none) { try await BulkActionPages.show($0) },
        .post(AdminURL.bulkActionRun, .may(.decide), .operation, BulkActionPages.run),
        .post(AdminURL.bulkActionUndo, .may(.decide), .operation, BulkActionPages.undo),

        // Queue statistics
        .get(AdminURL.queueStatistics, .may(.readQueue), .none, QueueStatisticsPages.show),

        // Review
        .get(AdminURL.submission, .may(.readQueue), .submission("id"), ReviewPages.show),
        .post(AdminURL.submissionClaim, .may(.decide), .submission("id"), ReviewPages.claim),
        .post(AdminURL.submissionDecision, .may(.decide), .submission("id"), ReviewPages.decide),
        .post(AdminURL.submissionUndo, .may(.decide), .submission("id"), ReviewPages.undo),

        // Submission action
        .post(
            AdminURL.submissionClaimRenew, .may(.decide), .submission("id"), flags: [.quiet],
            SubmissionActionPages.renew),
        .post(AdminURL.submissionSnooze, .may(.decide), .submission("id"), SubmissionActionPages.snooze),
        .post(AdminURL.submissionUnsnooze, .may(.decide), .submission("id"), SubmissionActionPages.unsnooze),
        .post(AdminURL.submissionAssign, .may(.decide), .submission("id"), SubmissionActionPages.assign),
        .post(AdminURL.submissionPriority, .may(.decide), .submission("id"), SubmissionActionPages.setPriority),
        .post(AdminURL.submissionNotes, .may(.decide), .submission("id"), SubmissionActionPages.note),

        // Similarity
        .get(AdminURL.submissionSimilar, .may(.readQueue), .submission("id"), SimilarityPages.show),

        // Screening
        .get(AdminURL.screening, .may(.readQueue), .none) { try await ScreeningPages.list($0) },
        .post(AdminURL.screening, .may(.publish), .none, ScreeningPages.create),
        .get(AdminURL.screeningVersion, .may(.readQueue), .none, ScreeningPages.show),
        .post(AdminURL.screeningVersionActivate, .may(.publish), .none, ScreeningPages.activate),

        // Review stage
        .get(AdminURL.reviewStages, .may(.readQueue), .none) { try await ReviewStagePages.show($0) },
        .post(AdminURL.reviewStages, .may(.administer), .none, ReviewStagePages.update),
        .post(AdminURL.submissionApprovalWithdraw, .may(.decide), .submission("id"), ReviewStagePages.withdraw),

        // Status
        .get(AdminURL.status, .anyone, .none) { try await StatusPages.show($0) },
        .post(AdminURL.statusResubmit, .anyone, .none, StatusPages.resubmit),
        .post(AdminURL.statusAppeal, .anyone, .none, StatusPages.appeal),
        .post(AdminURL.submissionStatusLink, .may(.decide), .submission("id"), StatusPages.rotateLink),

        // Entry
        .get(AdminURL.entries, .may(.readQueue), .none, EntryPages.list),
        .get(AdminURL.entryNew, .may(.suggest), .operation, EntryEditPages.new),
        .post(AdminURL.entries, .may(.suggest), .operation, flags: [.takesImage], EntryEditPages.create),
        .get(AdminURL.entry, .may(.readQueue), .none) { try await EntryPages.show($0) },

        // Entry edit
        .get(AdminURL.entryRevisions, .may(.suggest), .entry("id"), EntryEditPages.edit),
        .post(AdminURL.entryRevisions, .may(.suggest), .entry("id"), flags: [.takesImage], EntryEditPages.save),

        // Entry history
        .get(AdminURL.entryHistory, .may(.readQueue), .none, EntryHistoryPages.list),
        .get(AdminURL.entryComparison, .may(.readQueue), .none, EntryHistoryPages.compare),
        .post(AdminURL.entryRestore, .may(.suggest), .operation, EntryHistoryPages.restore),

        // Entry publish
        .post(AdminURL.entryApprove, .may(.approve), .operation, EntryPublishPages.approve),
        .post(AdminURL.entryPublish, .may(.publish), .operation, EntryPublishPages.publish),
        .get(AdminURL.entryUnpublish, .may(.publish), .operation) { try await EntryPublishPages.ask($0) },
        .post(AdminURL.entryUnpublish, .may(.publish), .operation, EntryPublishPages.unpublish),

        // Entry stream
        .post(AdminURL.entryVerifyStream, .may(.edit), .none, EntryStreamPages.check),

        // Feed
        .get(AdminURL.feeds, .may(.readQueue), .none, FeedPages.list),

        // Feed order
        .get(AdminURL.feedOrder, .may(.readQueue), .none) { try await FeedOrderPages.show($0) },
        .post(AdminURL.feedOrder, .may(.suggest), .operation, FeedOrderPages.order),

        // Category
        .get(AdminURL.categories, .may(.readQueue), .none) { try await CategoryPages.list($0) },

        // Category action
        .post(AdminURL.categories, .may(.edit), .operation, CategoryActionPages.create),
        .post(AdminURL.categoriesReorder, .may(.suggest), .operation, CategoryActionPages.reorder),
        .post(AdminURL.categoriesMove, .may(.suggest), .operation, CategoryActionPages.step),
        .post(AdminURL.categoryName, .may(.suggest), .operation, CategoryActionPages.rename),
        .post(AdminURL.categoryGroup, .may(.suggest), .operation, CategoryActionPages.move),
        .post(AdminURL.categoryUnmerge, .may(.suggest), .operation, CategoryActionPages.unmerge),

        // Category merge
        .get(AdminURL.categoryMerge, .may(.suggest), .none) { try await CategoryMergePages.ask($0) },
        .post(AdminURL.categoryMerge, .may(.suggest), .operation, CategoryMergePages.merge),
        .get(AdminURL.categoryArchive, .may(.createRelease), .operation) {
            try await CategoryMergePages.askArchive($0)
        },
        .post(AdminURL.categoryArchive, .may(.createRelease), .operation, CategoryMergePages.archive),

        // Release
        .get(AdminURL.releases, .may(.readQueue), .none) { try await ReleasePages.list($0) },
        .post(AdminURL.releases, .may(.createRelease), .operation, ReleasePages.create),
        .get(AdminURL.release, .may(.readQueue), .none) { try await ReleasePages.show($0) },

        // Release item
        .post(AdminURL.releaseItems, .may(.createRelease), .operation, ReleaseItemPages.addPending),
        .post(AdminURL.entryRelease, .may(.createRelease), .operation, ReleaseItemPages.add),
        .post(AdminURL.releaseItemDelete, .may(.createRelease), .operation, ReleaseItemPages.remove),
        .get(AdminURL.releaseItem, .may(.readQueue), .none, ReleaseItemPages.conflict),

        // Release action
        .post(AdminURL.releasePublish, .may(.publish), .operation, ReleaseActionPages.publish),
        .post(AdminURL.releaseSchedule, .may(.publish), .operation, ReleaseActionPages.schedule),
        .post(AdminURL.releaseCancel, .may(.publish), .operation, ReleaseActionPages.cancel),

        // Preview
        .get(AdminURL.previews, .may(.readQueue), .none) { try await PreviewPages.list($0) },
        .post(AdminURL.previews, .may(.createRelease), .none, PreviewPages.create),
        .post(AdminURL.previewRevoke, .may(.createRelease), .none, PreviewPages.revoke),

        // Preview link
        .get(AdminURL.preview, .anyone, .none) { try await PreviewLinkPages.show($0) },
        .get(AdminURL.previewShared, .anyone, .none) { try await PreviewLinkPages.show($0) },
        .get(AdminURL.previewFeed, .anyone, .none, PreviewLinkPages.feed),
        .get(AdminURL.previewItem, .anyone, .none, PreviewLinkPages.item),
        .post(AdminURL.previewApprove, .anyone, .none, PreviewLinkPages.approve),

        // Schedule
        .get(AdminURL.schedule, .may(.readQueue), .none, SchedulePages.list),

        // Task
        .get(AdminURL.tasks, .may(.readQueue), .none, TaskPages.list),
        .post(AdminURL.tasksRetry, .may(.publish), .none, TaskPages.retryAll),
        .post(AdminURL.taskRetry, .may(.publish), .none, TaskPages.retry),

        // Publication
        .get(AdminURL.publications, .may(.readQueue), .none, PublicationPages.list),
        .get(AdminURL.publicationsPlan, .may(.readQueue), .none) { try await PublicationPages.plan($0) },
        .post(AdminURL.publications, .may(.publish), .operation, PublicationPages.publish),

        // Rollback
        .get(AdminURL.publication, .may(.readQueue), .none, RollbackPages.show),
        .get(AdminURL.publicationRollback, .may(.publish), .none) { try await RollbackPages.confirm($0) },
        .post(AdminURL.publicationRollback, .may(.publish), .operation, RollbackPages.rollback),

        // Webhook
        .get(AdminURL.webhooks, .may(.administer), .none) { try await WebhookPages.list($0) },
        .post(AdminURL.webhooks, .may(.administer), .none, WebhookPages.create),
        .get(AdminURL.webhook, .may(.administer), .none) { try await WebhookPages.show($0) },

        // Webhook action
        .post(AdminURL.webhookPause, .may(.administer), .none, WebhookActionPages.pause),
        .post(AdminURL.webhookResume, .may(.administer), .none, WebhookActionPages.resume),
        .post(AdminURL.webhookRotate, .may(.administer), .none, WebhookActionPages.rotate),
        .post(AdminURL.webhookTest, .may(.administer), .none, WebhookActionPages.test),
        .post(AdminURL.webhookDelete, .may(.administer), .none, WebhookActionPages.delete),
        .post(AdminURL.webhookReplay, .may(.administer), .none, WebhookActionPages.replaySince),
        .get(AdminURL.webhookDelivery, .may(.administer), .none, WebhookActionPages.showDelivery),
        .post(AdminURL.webhookDeliveryReplay, .may(.administer), .none, WebhookActionPages.replay),

        // Onboarding
        .get(AdminURL.onboarding, .may(.readQueue), .none, OnboardingPages.list),
        .get(AdminURL.onboardingSet, .may(.readQueue), .none, OnboardingPages.show),

        // Text
        .get(AdminURL.texts, .may(.readQueue), .none) { try await TextPages.list($0) },
        .post(AdminURL.text, .may(.suggest), .operation, TextPages.save),

        // Setting
        .get(AdminURL.settings, .may(.readQueue), .none) { try await SettingPages.list($0) },
        .post(AdminURL.setting, .may(.suggest), .operation, SettingPages.save),

        // Media
        .get(AdminURL.media, .may(.readQueue), .none) { try await MediaPages.list($0) },
        .post(AdminURL.media, .may(.suggest), .none, flags: [.takesImage], MediaPages.add),
        .get(AdminURL.image, .may(.readQueue), .none) { try await MediaPages.show($0) },
        .post(AdminURL.image, .may(.suggest), .none, MediaPages.describe),
        .post(AdminURL.imageFocalPoint, .may(.suggest), .none, MediaPages.focus),
        .post(AdminURL.imageDelete, .may(.edit), .none, MediaPages.delete),
        .get(AdminURL.imageFile, .may(.readQueue), .none, MediaPages.image),

        // External image
        .get(AdminURL.externalImages, .may(.readQueue), .none, ExternalImagePages.list),
        .post(AdminURL.externalImageRetry, .may(.edit), .none, ExternalImagePages.retry),

        // Account
        .get(AdminURL.accounts, .may(.administer), .none) { try await AccountPages.list($0) },
        .post(AdminURL.accounts, .may(.administer), .none, AccountPages.invite),
        .get(AdminURL.account, .may(.administer), .none) { try await AccountPages.show($0) },

        // Account action
        .post(AdminURL.accountInvite, .may(.administer), .none, AccountActionPages.invite),
        .post(AdminURL.accountLink, .may(.administer), .none, AccountActionPages.createLink),
        .post(AdminURL.accountRole, .may(.administer), .none, AccountActionPages.setRole),
        .post(AdminURL.accountDisable, .may(.administer), .none, AccountActionPages.disable),
        .post(AdminURL.accountEnable, .may(.administer), .none, AccountActionPages.enable),
        .post(AdminURL.accountSessionRevoke, .may(.administer), .none, AccountActionPages.revokeSession),
        .post(AdminURL.accountScope, .may(.administer), .none, AccountActionPages.setScope),
        .post(AdminURL.accountSecondFactorRemove, .may(.administer), .none, AccountActionPages.removeSecondFactor),

        // Session
        .get(AdminURL.ownAccount, .may(.readQueue), .own, SessionPages.show),
        .post(AdminURL.ownSessionRevoke, .may(.readQueue), .own, SessionPages.revoke),

        // Change password
        .get(AdminURL.ownPassword, .may(.readQueue), .own) { try await ChangePasswordPages.show($0) },
        .post(AdminURL.ownPassword, .may(.readQueue), .own, ChangePasswordPages.change),

        // Second factor
        .get(AdminURL.secondFactor, .may(.readQueue), .own, flags: [.beforeSecondFactor]) {
            try await SecondFactorPages.show($0)
        },
        .post(AdminURL.secondFactor, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.begin),
        .post(
            AdminURL.secondFactorVerify, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.verify),
        .post(
            AdminURL.secondFactorCodesRotate, .may(.readQueue), .own, flags: [.beforeSecondFactor],
            SecondFactorPages.rotateCodes),
        .post(
            AdminURL.secondFactorDelete, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.remove),

        // Password
        .get(AdminURL.password, .anyone, .none) { try PasswordPages.forgotPassword($0) },
        .post(AdminURL.password, .anyone, .none, PasswordPages.request),
        .get(AdminURL.passwordReset, .anyone, .none) { try await PasswordPages.show($0, .passwordReset) },
        .post(AdminURL.passwordReset, .anyone, .none) { try await PasswordPages.set($0, .passwordReset) },
        .get(AdminURL.invitation, .anyone, .none) { try await PasswordPages.show($0, .invitation) },
        .post(AdminURL.invitation, .anyone, .none) { try await PasswordPages.set($0, .invitation) },

        // Client
        .get(AdminURL.clients, .may(.administer), .none) { try await ClientPages.list($0) },
        .post(AdminURL.clients, .may(.administer), .none, ClientPages.create),
        .get(AdminURL.client, .may(.administer), .none) { try await ClientPages.show($0) },
        .post(AdminURL.clientLimit, .may(.administer), .none, ClientPages.setLimit),
        .post(AdminURL.clientRotate, .may(.administer), .none, ClientPages.rotate),
        .post(AdminURL.clientOldSecretRevoke, .may(.administer), .none, ClientPages.revokeOldSecret),
        .post(AdminURL.clientRevoke, .may(.administer), .none, ClientPages.revoke),

        // Audit
        .get(AdminURL.audit, .may(.administer), .none) { try await AuditPages.list($0) },
        .get(AdminURL.auditExport, .may(.administer), .none, AuditPages.export),
        .get(AdminURL.auditIntegrity, .may(.administer), .none, AuditPages.verify),
        .get(AdminURL.auditEvent, .may(.administer), .none) { try await AuditEventPage.show($0) },
    ]
}
