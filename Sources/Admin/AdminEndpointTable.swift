// Every page and form of the admin: method, path, who may use it, and its handler.

extension AdminSite {
    static let endpoints: [AdminEndpoint] = [
        // Sign in
        .get("/login", .anyone, SignInPages.show),
        .post("/login", .anyone, SignInPages.signIn),
        .get("/login/code", .anyone) { try await SignInCode.show($0) },
        .post("/login/code", .anyone, SignInCode.send),
        .get("/login/{token}", .anyone, SignInPages.showLink),
        .post("/login/{token}", .anyone, SignInPages.useLink),
        .post("/logout", .may(.readQueue), isBeforeSecondFactor: true, SignInPages.signOut),

        // Home
        .get("/", .may(.readQueue)) { request in request.redirect(to: "/queue", request.flash) },

        // Queue
        .get("/queue", .may(.readQueue)) { try await QueuePages.show($0) },
        .get("/queue/counts", .may(.readQueue), isQuiet: true, QueuePages.counts),
        .post("/saved-views", .may(.readQueue), QueuePages.save),
        .post("/saved-views/{id}/delete", .may(.readQueue), QueuePages.delete),

        // Bulk action
        .post("/bulk-actions", .may(.decide), BulkActionPages.plan),
        .get("/bulk-actions/{id}", .may(.decide)) { try await BulkActionPages.show($0) },
        .post("/bulk-actions/{id}/run", .may(.decide), BulkActionPages.run),
        .post("/bulk-actions/{id}/undo", .may(.decide), BulkActionPages.undo),

        // Queue statistics
        .get("/queue/statistics", .may(.readQueue), QueueStatisticsPages.show),

        // Review
        .get("/queue/{id}", .may(.readQueue), ReviewPages.show),
        .post("/queue/{id}/claim", .may(.decide), ReviewPages.claim),
        .post("/queue/{id}/decision", .may(.decide), ReviewPages.decide),
        .post("/queue/{id}/undo", .may(.decide), ReviewPages.undo),

        // Submission action
        .post("/queue/{id}/claim/renew", .may(.decide), isQuiet: true, SubmissionActionPages.renew),
        .post("/queue/{id}/snooze", .may(.decide), SubmissionActionPages.snooze),
        .post("/queue/{id}/unsnooze", .may(.decide), SubmissionActionPages.unsnooze),
        .post("/queue/{id}/assign", .may(.decide), SubmissionActionPages.assign),
        .post("/queue/{id}/priority", .may(.decide), SubmissionActionPages.setPriority),
        .post("/queue/{id}/notes", .may(.decide), SubmissionActionPages.note),

        // Similarity
        .get("/queue/{id}/similar/{other}", .may(.readQueue), SimilarityPages.show),

        // Screening
        .get("/screening", .may(.readQueue)) { try await ScreeningPages.list($0) },
        .post("/screening", .may(.publish), ScreeningPages.create),
        .get("/screening/{version}", .may(.readQueue), ScreeningPages.show),
        .post("/screening/{version}/activate", .may(.publish), ScreeningPages.activate),

        // Review stage
        .get("/review-stages", .may(.readQueue)) { try await ReviewStagePages.show($0) },
        .post("/review-stages", .may(.administer), ReviewStagePages.update),
        .post("/queue/{id}/approval/withdraw", .may(.decide), ReviewStagePages.withdraw),

        // Status
        .get("/s/{token}", .anyone) { try await StatusPages.show($0) },
        .post("/s/{token}/resubmit", .anyone, StatusPages.resubmit),
        .post("/s/{token}/appeal", .anyone, StatusPages.appeal),
        .post("/queue/{id}/status-link", .may(.decide), StatusPages.rotateLink),

        // Entry
        .get("/entries", .may(.readQueue), EntryPages.list),
        .get("/entries/new", .may(.suggest), EntryPages.new),
        .post("/entries", .may(.suggest), EntryPages.create),
        .get("/entries/{id}", .may(.readQueue)) { try await EntryPages.show($0) },

        // Entry edit
        .get("/entries/{id}/revisions", .may(.suggest), EntryEditPages.edit),
        .post("/entries/{id}/revisions", .may(.suggest), EntryEditPages.save),

        // Entry history
        .get("/entries/{id}/history", .may(.readQueue), EntryHistoryPages.list),
        .get("/entries/{id}/history/{a}/{b}", .may(.readQueue), EntryHistoryPages.compare),
        .post("/entries/{id}/restore", .may(.suggest), EntryHistoryPages.restore),

        // Entry publish
        .post("/entries/{id}/approve", .may(.approve), EntryPublishPages.approve),
        .post("/entries/{id}/publish", .may(.publish), EntryPublishPages.publish),
        .get("/entries/{id}/unpublish", .may(.publish)) { try await EntryPublishPages.ask($0) },
        .post("/entries/{id}/unpublish", .may(.publish), EntryPublishPages.unpublish),

        // Entry stream
        .post("/entries/{id}/verify-stream", .may(.edit), EntryStreamPages.check),

        // Feed
        .get("/feeds", .may(.readQueue), FeedPages.list),

        // Feed order
        .get("/feeds/{id}/order", .may(.readQueue)) { try await FeedOrderPages.show($0) },
        .post("/feeds/{id}/order", .may(.suggest), FeedOrderPages.order),

        // Category
        .get("/categories", .may(.readQueue)) { try await CategoryPages.list($0) },

        // Category action
        .post("/categories", .may(.edit), CategoryActionPages.create),
        .post("/categories/reorder", .may(.suggest), CategoryActionPages.reorder),
        .post("/categories/move", .may(.suggest), CategoryActionPages.step),
        .post("/categories/{id}/name", .may(.suggest), CategoryActionPages.rename),
        .post("/categories/{id}/group", .may(.suggest), CategoryActionPages.move),
        .post("/categories/{id}/unmerge", .may(.suggest), CategoryActionPages.unmerge),

        // Category merge
        .get("/categories/{id}/merge", .may(.suggest)) { try await CategoryMergePages.ask($0) },
        .post("/categories/{id}/merge", .may(.suggest), CategoryMergePages.merge),
        .get("/categories/{id}/archive", .may(.createRelease)) { try await CategoryMergePages.askArchive($0) },
        .post("/categories/{id}/archive", .may(.createRelease), CategoryMergePages.archive),

        // Release
        .get("/releases", .may(.readQueue)) { try await ReleasePages.list($0) },
        .post("/releases", .may(.createRelease), ReleasePages.create),
        .get("/releases/{number}", .may(.readQueue)) { try await ReleasePages.show($0) },

        // Release item
        .post("/releases/{number}/items", .may(.createRelease), ReleaseItemPages.addPending),
        .post("/entries/{id}/release", .may(.createRelease), ReleaseItemPages.add),
        .post("/releases/{number}/items/{id}/delete", .may(.createRelease), ReleaseItemPages.remove),
        .get("/releases/{number}/items/{id}", .may(.readQueue), ReleaseItemPages.conflict),

        // Release action
        .post("/releases/{number}/publish", .may(.publish), ReleaseActionPages.publish),
        .post("/releases/{number}/schedule", .may(.publish), ReleaseActionPages.schedule),
        .post("/releases/{number}/cancel", .may(.publish), ReleaseActionPages.cancel),

        // Preview
        .get("/previews", .may(.readQueue)) { try await PreviewPages.list($0) },
        .post("/previews", .may(.createRelease), PreviewPages.create),
        .post("/previews/{id}/revoke", .may(.createRelease), PreviewPages.revoke),

        // Preview link
        .get("/preview/{token}", .anyone) { try await PreviewLinkPages.show($0) },
        .get("/preview/{token}/", .anyone) { try await PreviewLinkPages.show($0) },
        .get("/preview/{token}/feeds/{id}", .anyone, PreviewLinkPages.feed),
        .get("/preview/{token}/items/{id}", .anyone, PreviewLinkPages.item),
        .post("/preview/{token}/approve", .anyone, PreviewLinkPages.approve),

        // Route
        .get("/routes", .may(.readQueue), RoutePages.list),
        .get("/routes/simulate", .may(.createRelease), RoutePages.simulate),
        .get("/routes/{id}", .may(.readQueue), RoutePages.show),

        // Schedule
        .get("/schedule", .may(.readQueue), SchedulePages.list),
        .post("/tasks/{id}/retry", .may(.publish), SchedulePages.retry),

        // Publication
        .get("/publications", .may(.readQueue), PublicationPages.list),
        .get("/publications/plan", .may(.readQueue)) { try await PublicationPages.plan($0) },
        .post("/publications", .may(.publish), PublicationPages.publish),

        // Rollback
        .get("/publications/{number}", .may(.readQueue), RollbackPages.show),
        .get("/publications/{number}/rollback", .may(.publish)) { try await RollbackPages.confirm($0) },
        .post("/publications/{number}/rollback", .may(.publish), RollbackPages.rollback),

        // Webhook
        .get("/webhooks", .may(.administer)) { try await WebhookPages.list($0) },
        .post("/webhooks", .may(.administer), WebhookPages.create),
        .get("/webhooks/{id}", .may(.administer)) { try await WebhookPages.show($0) },

        // Webhook action
        .post("/webhooks/{id}/pause", .may(.administer), WebhookActionPages.pause),
        .post("/webhooks/{id}/resume", .may(.administer), WebhookActionPages.resume),
        .post("/webhooks/{id}/rotate", .may(.administer), WebhookActionPages.rotate),
        .post("/webhooks/{id}/test", .may(.administer), WebhookActionPages.test),
        .post("/webhooks/{id}/delete", .may(.administer), WebhookActionPages.delete),
        .post("/webhooks/{id}/replay", .may(.administer), WebhookActionPages.replaySince),
        .get("/webhooks/{id}/deliveries/{delivery}", .may(.administer), WebhookActionPages.showDelivery),
        .post("/webhooks/{id}/deliveries/{delivery}/replay", .may(.administer), WebhookActionPages.replay),

        // Onboarding
        .get("/onboarding", .may(.readQueue), OnboardingPages.list),
        .get("/onboarding/{id}", .may(.readQueue), OnboardingPages.show),

        // Text
        .get("/texts", .may(.readQueue)) { try await TextPages.list($0) },
        .post("/texts/{id}/{locale}", .may(.suggest), TextPages.save),

        // Setting
        .get("/settings", .may(.readQueue)) { try await SettingPages.list($0) },
        .post("/settings/{id}", .may(.suggest), SettingPages.save),

        // Promotion
        .get("/promotions", .may(.readQueue), PromotionPages.list),

        // Import
        .get("/import", .may(.edit), ImportPages.new),
        .post("/import/plan", .may(.edit), ImportPages.plan),
        .post("/import", .may(.edit), ImportPages.apply),

        // Media
        .get("/media", .may(.readQueue)) { try await MediaPages.list($0) },
        .post("/media", .may(.suggest), MediaPages.add),
        .get("/media/{id}", .may(.readQueue)) { try await MediaPages.show($0) },
        .post("/media/{id}", .may(.suggest), MediaPages.describe),
        .post("/media/{id}/focal-point", .may(.suggest), MediaPages.focus),
        .post("/media/{id}/delete", .may(.edit), MediaPages.delete),
        .get("/media/{id}/image", .may(.readQueue), MediaPages.image),

        // External image
        .get("/external-images", .may(.readQueue), ExternalImagePages.list),
        .post("/external-images/{id}/retry", .may(.edit), ExternalImagePages.retry),

        // Catalog
        .get("/catalog", .may(.readQueue)) { try await CatalogPages.list($0) },
        .post("/catalog", .may(.publish), CatalogPages.setListed),
        .get("/catalog/{id}", .may(.readQueue)) { try await CatalogPages.show($0) },
        .post("/catalog/{id}", .may(.publish), CatalogPages.move),

        // Account
        .get("/accounts", .may(.administer)) { try await AccountPages.list($0) },
        .post("/accounts", .may(.administer), AccountPages.invite),
        .get("/accounts/{id}", .may(.administer)) { try await AccountPages.show($0) },

        // Account action
        .post("/accounts/{id}/invite", .may(.administer), AccountActionPages.invite),
        .post("/accounts/{id}/link", .may(.administer), AccountActionPages.createLink),
        .post("/accounts/{id}/role", .may(.administer), AccountActionPages.setRole),
        .post("/accounts/{id}/disable", .may(.administer), AccountActionPages.disable),
        .post("/accounts/{id}/enable", .may(.administer), AccountActionPages.enable),
        .post("/accounts/{id}/sessions/{session}/revoke", .may(.administer), AccountActionPages.revokeSession),
        .post("/accounts/{id}/scope", .may(.administer), AccountActionPages.setScope),
        .post("/accounts/{id}/second-factor/remove", .may(.administer), AccountActionPages.removeSecondFactor),

        // Session
        .get("/account", .may(.readQueue), SessionPages.show),
        .post("/account/sessions/{session}/revoke", .may(.readQueue), SessionPages.revoke),

        // Change password
        .get("/account/password", .may(.readQueue)) { try await ChangePasswordPages.show($0) },
        .post("/account/password", .may(.readQueue), ChangePasswordPages.change),

        // Second factor
        .get("/account/second-factor", .may(.readQueue), isBeforeSecondFactor: true) {
            try await SecondFactorPages.show($0)
        },
        .post("/account/second-factor", .may(.readQueue), isBeforeSecondFactor: true, SecondFactorPages.begin),
        .post("/account/second-factor/verify", .may(.readQueue), isBeforeSecondFactor: true, SecondFactorPages.verify),
        .post(
            "/account/second-factor/codes/rotate", .may(.readQueue), isBeforeSecondFactor: true,
            SecondFactorPages.rotateCodes),
        .post("/account/second-factor/delete", .may(.readQueue), isBeforeSecondFactor: true, SecondFactorPages.remove),

        // Password
        .get("/password", .anyone) { try PasswordPages.forgotPassword($0) },
        .post("/password", .anyone, PasswordPages.request),
        .get("/password/{token}", .anyone) { try await PasswordPages.show($0, .passwordReset) },
        .post("/password/{token}", .anyone) { try await PasswordPages.set($0, .passwordReset) },
        .get("/welcome/{token}", .anyone) { try await PasswordPages.show($0, .invitation) },
        .post("/welcome/{token}", .anyone) { try await PasswordPages.set($0, .invitation) },

        // Mail
        .get("/mail", .may(.administer), MailPages.list),
        .post("/mail/{id}/retry", .may(.administer), MailPages.retry),

        // Client
        .get("/clients", .may(.administer)) { try await ClientPages.list($0) },
        .post("/clients", .may(.administer), ClientPages.create),
        .get("/clients/{id}", .may(.administer)) { try await ClientPages.show($0) },
        .post("/clients/{id}/limit", .may(.administer), ClientPages.setLimit),
        .post("/clients/{id}/rotate", .may(.administer), ClientPages.rotate),
        .post("/clients/{id}/old-secret/revoke", .may(.administer), ClientPages.revokeOldSecret),
        .post("/clients/{id}/revoke", .may(.administer), ClientPages.revoke),

        // Audit
        .get("/audit", .may(.administer)) { try await AuditPages.list($0) },
        .get("/audit/export", .may(.administer), AuditPages.export),
        .get("/audit/integrity", .may(.administer), AuditPages.verify),
        .get("/audit/events/{id}", .may(.administer)) { try await AuditEventPage.show($0) },
    ]
}
