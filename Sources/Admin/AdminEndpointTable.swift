// Every page and form of the admin: method, path, who may use it, access scope, and its handler.
import Domain
import Store

extension AdminSite {
    /// Those of the core and the enabled packs.
    static func endpoints(_ packs: StorePacks) -> [AdminEndpoint] { core + packs.names.flatMap { ofPacks[$0] ?? [] } }

    private static let core: [AdminEndpoint] = [
        // Sign in
        .get(.login, .anyone, .none, SignInPages.show),
        .post(.login, .anyone, .none, SignInPages.signIn),
        .get(.loginCode, .anyone, .none) { try await SignInCode.show($0) },
        .post(.loginCode, .anyone, .none, SignInCode.send),
        .get(.loginLink, .anyone, .none, SignInPages.showLink),
        .post(.loginLink, .anyone, .none, SignInPages.useLink),
        .post(.logout, .may(.readQueue), .own, flags: [.beforeSecondFactor], SignInPages.signOut),

        // Home
        .get(.home, .may(.readQueue), .none) { request in request.redirect(to: AdminURL.queue(), request.flash) },

        // Queue
        .get(.queue, .may(.readQueue), .filtered) { try await QueuePages.show($0) },
        .get(.queueCounts, .may(.readQueue), .filtered, flags: [.quiet], QueuePages.counts),
        .post(.savedViews, .may(.readQueue), .own, QueuePages.save),
        .post(.savedViewDelete, .may(.readQueue), .own, QueuePages.delete),

        // Bulk action
        .post(.bulkActions, .may(.decide), .operation, BulkActionPages.plan),
        .get(.bulkAction, .may(.decide), .none) { try await BulkActionPages.show($0) },
        .post(.bulkActionRun, .may(.decide), .operation, BulkActionPages.run),
        .post(.bulkActionUndo, .may(.decide), .operation, BulkActionPages.undo),

        // Queue statistics
        .get(.queueStatistics, .may(.readQueue), .none, QueueStatisticsPages.show),

        // Review
        .get(.submission, .may(.readQueue), .submission("id"), ReviewPages.show),
        .post(.submissionClaim, .may(.decide), .submission("id"), ReviewPages.claim),
        .post(.submissionDecision, .may(.decide), .submission("id"), ReviewPages.decide),
        .post(.submissionUndo, .may(.decide), .submission("id"), ReviewPages.undo),

        // Submission action
        .post(.submissionClaimRenew, .may(.decide), .submission("id"), flags: [.quiet], SubmissionActionPages.renew),
        .post(.submissionSnooze, .may(.decide), .submission("id"), SubmissionActionPages.snooze),
        .post(.submissionUnsnooze, .may(.decide), .submission("id"), SubmissionActionPages.unsnooze),
        .post(.submissionAssign, .may(.decide), .submission("id"), SubmissionActionPages.assign),
        .post(.submissionPriority, .may(.decide), .submission("id"), SubmissionActionPages.setPriority),
        .post(.submissionNotes, .may(.decide), .submission("id"), SubmissionActionPages.note),

        // Similarity
        .get(.submissionSimilar, .may(.readQueue), .submission("id"), SimilarityPages.show),

        // Screening
        .get(.screening, .may(.readQueue), .none) { try await ScreeningPages.list($0) },
        .post(.screening, .may(.publish), .none, ScreeningPages.create),
        .get(.screeningVersion, .may(.readQueue), .none, ScreeningPages.show),
        .post(.screeningVersionActivate, .may(.publish), .none, ScreeningPages.activate),

        // Review stage
        .get(.reviewStages, .may(.readQueue), .none) { try await ReviewStagePages.show($0) },
        .post(.reviewStages, .may(.administer), .none, ReviewStagePages.update),
        .post(.submissionApprovalWithdraw, .may(.decide), .submission("id"), ReviewStagePages.withdraw),

        // Status
        .get(.status, .anyone, .none) { try await StatusPages.show($0) },
        .post(.statusResubmit, .anyone, .none, StatusPages.resubmit),
        .post(.statusAppeal, .anyone, .none, StatusPages.appeal),
        .post(.submissionStatusLink, .may(.decide), .submission("id"), StatusPages.rotateLink),

        // Entry
        .get(.entries, .may(.readQueue), .none, EntryPages.list),
        .get(.entryNew, .may(.suggest), .operation, EntryEditPages.new),
        .post(.entries, .may(.suggest), .operation, flags: [.takesImage], EntryEditPages.create),
        .get(.entry, .may(.readQueue), .none) { try await EntryPages.show($0) },

        // Entry edit
        .get(.entryRevisions, .may(.suggest), .entry("id"), EntryEditPages.edit),
        .post(.entryRevisions, .may(.suggest), .entry("id"), flags: [.takesImage], EntryEditPages.save),

        // Entry history
        .get(.entryHistory, .may(.readQueue), .none, EntryHistoryPages.list),
        .get(.entryComparison, .may(.readQueue), .none, EntryHistoryPages.compare),
        .post(.entryRestore, .may(.suggest), .operation, EntryHistoryPages.restore),

        // Entry publish
        .post(.entryApprove, .may(.approve), .operation, EntryPublishPages.approve),
        .post(.entryPublish, .may(.publish), .operation, EntryPublishPages.publish),
        .get(.entryUnpublish, .may(.publish), .operation) { try await EntryPublishPages.ask($0) },
        .post(.entryUnpublish, .may(.publish), .operation, EntryPublishPages.unpublish),

        // Entry stream
        .post(.entryVerifyStream, .may(.edit), .none, EntryStreamPages.check),

        // Feed
        .get(.feeds, .may(.readQueue), .none, FeedPages.list),

        // Feed order
        .get(.feedOrder, .may(.readQueue), .none) { try await FeedOrderPages.show($0) },
        .post(.feedOrder, .may(.suggest), .operation, FeedOrderPages.order),

        // Category
        .get(.categories, .may(.readQueue), .none) { try await CategoryPages.list($0) },

        // Category action
        .post(.categories, .may(.edit), .operation, CategoryActionPages.create),
        .post(.categoriesReorder, .may(.suggest), .operation, CategoryActionPages.reorder),
        .post(.categoriesMove, .may(.suggest), .operation, CategoryActionPages.step),
        .post(.categoryName, .may(.suggest), .operation, CategoryActionPages.rename),
        .post(.categoryGroup, .may(.suggest), .operation, CategoryActionPages.move),
        .post(.categoryUnmerge, .may(.suggest), .operation, CategoryActionPages.unmerge),

        // Category merge
        .get(.categoryMerge, .may(.suggest), .none) { try await CategoryMergePages.ask($0) },
        .post(.categoryMerge, .may(.suggest), .operation, CategoryMergePages.merge),
        .get(.categoryArchive, .may(.createRelease), .operation) { try await CategoryMergePages.askArchive($0) },
        .post(.categoryArchive, .may(.createRelease), .operation, CategoryMergePages.archive),

        // Release
        .get(.releases, .may(.readQueue), .none) { try await ReleasePages.list($0) },
        .post(.releases, .may(.createRelease), .operation, ReleasePages.create),
        .get(.release, .may(.readQueue), .none) { try await ReleasePages.show($0) },

        // Release item
        .post(.releaseItems, .may(.createRelease), .operation, ReleaseItemPages.addPending),
        .post(.entryRelease, .may(.createRelease), .operation, ReleaseItemPages.add),
        .post(.releaseItemDelete, .may(.createRelease), .operation, ReleaseItemPages.remove),
        .get(.releaseItem, .may(.readQueue), .none, ReleaseItemPages.conflict),

        // Release action
        .post(.releasePublish, .may(.publish), .operation, ReleaseActionPages.publish),
        .post(.releaseSchedule, .may(.publish), .operation, ReleaseActionPages.schedule),
        .post(.releaseCancel, .may(.publish), .operation, ReleaseActionPages.cancel),

        // Preview
        .get(.previews, .may(.readQueue), .none) { try await PreviewPages.list($0) },
        .post(.previews, .may(.createRelease), .none, PreviewPages.create),
        .post(.previewRevoke, .may(.createRelease), .none, PreviewPages.revoke),

        // Preview link
        .get(.preview, .anyone, .none) { try await PreviewLinkPages.show($0) },
        .get(.previewShared, .anyone, .none) { try await PreviewLinkPages.show($0) },
        .get(.previewFeed, .anyone, .none, PreviewLinkPages.feed),
        .get(.previewItem, .anyone, .none, PreviewLinkPages.item),
        .post(.previewApprove, .anyone, .none, PreviewLinkPages.approve),

        // Schedule
        .get(.schedule, .may(.readQueue), .none, SchedulePages.list),

        // Task
        .get(.tasks, .may(.readQueue), .none, TaskPages.list),
        .post(.tasksRetry, .may(.publish), .none, TaskPages.retryAll),
        .post(.taskRetry, .may(.publish), .none, TaskPages.retry),

        // Publication
        .get(.publications, .may(.readQueue), .none, PublicationPages.list),
        .get(.publicationsPlan, .may(.readQueue), .none) { try await PublicationPages.plan($0) },
        .post(.publications, .may(.publish), .operation, PublicationPages.publish),

        // Rollback
        .get(.publication, .may(.readQueue), .none, RollbackPages.show),
        .get(.publicationRollback, .may(.publish), .none) { try await RollbackPages.confirm($0) },
        .post(.publicationRollback, .may(.publish), .operation, RollbackPages.rollback),

        // Webhook
        .get(.webhooks, .may(.administer), .none) { try await WebhookPages.list($0) },
        .post(.webhooks, .may(.administer), .none, WebhookPages.create),
        .get(.webhook, .may(.administer), .none) { try await WebhookPages.show($0) },

        // Webhook action
        .post(.webhookPause, .may(.administer), .none, WebhookActionPages.pause),
        .post(.webhookResume, .may(.administer), .none, WebhookActionPages.resume),
        .post(.webhookRotate, .may(.administer), .none, WebhookActionPages.rotate),
        .post(.webhookTest, .may(.administer), .none, WebhookActionPages.test),
        .post(.webhookDelete, .may(.administer), .none, WebhookActionPages.delete),
        .post(.webhookReplay, .may(.administer), .none, WebhookActionPages.replaySince),
        .get(.webhookDelivery, .may(.administer), .none, WebhookActionPages.showDelivery),
        .post(.webhookDeliveryReplay, .may(.administer), .none, WebhookActionPages.replay),

        // Onboarding
        .get(.onboarding, .may(.readQueue), .none, OnboardingPages.list),
        .get(.onboardingSet, .may(.readQueue), .none, OnboardingPages.show),

        // Text
        .get(.texts, .may(.readQueue), .none) { try await TextPages.list($0) },
        .post(.text, .may(.suggest), .operation, TextPages.save),

        // Setting
        .get(.settings, .may(.readQueue), .none) { try await SettingPages.list($0) },
        .post(.setting, .may(.suggest), .operation, SettingPages.save),

        // Media
        .get(.media, .may(.readQueue), .none) { try await MediaPages.list($0) },
        .post(.media, .may(.suggest), .none, flags: [.takesImage], MediaPages.add),
        .get(.image, .may(.readQueue), .none) { try await MediaPages.show($0) },
        .post(.image, .may(.suggest), .none, MediaPages.describe),
        .post(.imageFocalPoint, .may(.suggest), .none, MediaPages.focus),
        .post(.imageDelete, .may(.edit), .none, MediaPages.delete),
        .get(.imageFile, .may(.readQueue), .none, MediaPages.image),

        // External image
        .get(.externalImages, .may(.readQueue), .none, ExternalImagePages.list),
        .post(.externalImageRetry, .may(.edit), .none, ExternalImagePages.retry),

        // Account
        .get(.accounts, .may(.administer), .none) { try await AccountPages.list($0) },
        .post(.accounts, .may(.administer), .none, AccountPages.invite),
        .get(.account, .may(.administer), .none) { try await AccountPages.show($0) },

        // Account action
        .post(.accountInvite, .may(.administer), .none, AccountActionPages.invite),
        .post(.accountLink, .may(.administer), .none, AccountActionPages.createLink),
        .post(.accountRole, .may(.administer), .none, AccountActionPages.setRole),
        .post(.accountDisable, .may(.administer), .none, AccountActionPages.disable),
        .post(.accountEnable, .may(.administer), .none, AccountActionPages.enable),
        .post(.accountSessionRevoke, .may(.administer), .none, AccountActionPages.revokeSession),
        .post(.accountScope, .may(.administer), .none, AccountActionPages.setScope),
        .post(.accountSecondFactorRemove, .may(.administer), .none, AccountActionPages.removeSecondFactor),

        // Session
        .get(.ownAccount, .may(.readQueue), .own, SessionPages.show),
        .post(.ownSessionRevoke, .may(.readQueue), .own, SessionPages.revoke),

        // Change password
        .get(.ownPassword, .may(.readQueue), .own) { try await ChangePasswordPages.show($0) },
        .post(.ownPassword, .may(.readQueue), .own, ChangePasswordPages.change),

        // Second factor
        .get(.secondFactor, .may(.readQueue), .own, flags: [.beforeSecondFactor]) {
            try await SecondFactorPages.show($0)
        },
        .post(.secondFactor, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.begin),
        .post(.secondFactorVerify, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.verify),
        .post(
            .secondFactorCodesRotate, .may(.readQueue), .own, flags: [.beforeSecondFactor],
            SecondFactorPages.rotateCodes),
        .post(.secondFactorDelete, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.remove),

        // Password
        .get(.password, .anyone, .none) { try PasswordPages.forgotPassword($0) },
        .post(.password, .anyone, .none, PasswordPages.request),
        .get(.passwordReset, .anyone, .none) { try await PasswordPages.show($0, .passwordReset) },
        .post(.passwordReset, .anyone, .none) { try await PasswordPages.set($0, .passwordReset) },
        .get(.invitation, .anyone, .none) { try await PasswordPages.show($0, .invitation) },
        .post(.invitation, .anyone, .none) { try await PasswordPages.set($0, .invitation) },

        // Client
        .get(.clients, .may(.administer), .none) { try await ClientPages.list($0) },
        .post(.clients, .may(.administer), .none, ClientPages.create),
        .get(.client, .may(.administer), .none) { try await ClientPages.show($0) },
        .post(.clientLimit, .may(.administer), .none, ClientPages.setLimit),
        .post(.clientRotate, .may(.administer), .none, ClientPages.rotate),
        .post(.clientOldSecretRevoke, .may(.administer), .none, ClientPages.revokeOldSecret),
        .post(.clientRevoke, .may(.administer), .none, ClientPages.revoke),

        // Audit
        .get(.audit, .may(.administer), .none) { try await AuditPages.list($0) },
        .get(.auditExport, .may(.administer), .none, AuditPages.export),
        .get(.auditIntegrity, .may(.administer), .none, AuditPages.verify),
        .get(.auditEvent, .may(.administer), .none) { try await AuditEventPage.show($0) },
    ]
}
