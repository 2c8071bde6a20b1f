// Every path of the core's pages, once: endpoints, redirects, templates and mails name it instead of writing it.

package enum AdminURL: String, AdminPath {
    // Sign in
    case login = "/login"
    case loginCode = "/login/code"
    case loginLink = "/login/{token}"
    case logout = "/logout"

    // Home
    case home = "/"
    case checklistDismiss = "/checklist/dismiss"
    case design = "/design"

    // Autosave
    case autosaves = "/autosaves"
    case autosaveDelete = "/autosaves/delete"

    // Search
    case search = "/search"

    // Mention
    case mentions = "/mentions"

    // Queue
    case queue = "/queue"
    case queueCounts = "/queue/counts"
    case queueDensity = "/queue/density"
    case decided = "/queue/decided"
    case queueStatistics = "/queue/statistics"
    case savedViews = "/saved-views"
    case savedViewDelete = "/saved-views/{id}/delete"

    // Bulk action
    case bulkActions = "/bulk-actions"
    case bulkAction = "/bulk-actions/{id}"
    case bulkActionRun = "/bulk-actions/{id}/run"
    case bulkActionUndo = "/bulk-actions/{id}/undo"

    // Submission
    case submission = "/queue/{id}"
    case submissionClaim = "/queue/{id}/claim"
    case submissionClaimRenew = "/queue/{id}/claim/renew"
    case submissionViewers = "/queue/{id}/viewers"
    case submissionDecision = "/queue/{id}/decision"
    case submissionUndo = "/queue/{id}/undo"
    case submissionSnooze = "/queue/{id}/snooze"
    case submissionUnsnooze = "/queue/{id}/unsnooze"
    case submissionAssign = "/queue/{id}/assign"
    case submissionPriority = "/queue/{id}/priority"
    case submissionNotes = "/queue/{id}/notes"
    case submissionSimilar = "/queue/{id}/similar/{other}"
    case submissionApprovalWithdraw = "/queue/{id}/approval/withdraw"
    case submissionStatusLink = "/queue/{id}/status-link"

    // Contributor
    case contributors = "/contributors"
    case contributor = "/contributors/{id}"
    case contributorReports = "/contributors/{id}/reports"
    case contributorMessages = "/contributors/{id}/messages"
    case contributorStatus = "/contributors/{id}/status"
    case contributorNotes = "/contributors/{id}/notes"
    case contributorExport = "/contributors/{id}/export"
    case contributorErase = "/contributors/{id}/erase"

    // Report
    case reports = "/reports"
    case report = "/reports/{id}"
    case reportDecision = "/reports/{id}/decision"

    // Screening and review stages
    case screening = "/screening"
    case screeningVersion = "/screening/{version}"
    case screeningVersionActivate = "/screening/{version}/activate"
    case reviewStages = "/review-stages"

    // Submission form
    case submit = "/submit/{form}"
    case submissionForms = "/submission-forms"
    case submissionForm = "/submission-forms/{name}"
    case submissionFormDelete = "/submission-forms/{name}/delete"

    // Status page of a submission
    case status = "/s/{token}"
    case statusResubmit = "/s/{token}/resubmit"
    case statusAppeal = "/s/{token}/appeal"

    // Entry
    case entries = "/entries"
    case entryNew = "/entries/new"
    case entryPreview = "/entries/preview"
    case entryChoices = "/entries/choices"
    case entry = "/entries/{id}"
    case entryRevisions = "/entries/{id}/revisions"
    case entryHistory = "/entries/{id}/history"
    case entryComparison = "/entries/{id}/history/{a}/{b}"
    case entryRestore = "/entries/{id}/restore"
    case entryApprove = "/entries/{id}/approve"
    case entryPublish = "/entries/{id}/publish"
    case entryUnpublish = "/entries/{id}/unpublish"
    case entryVerifyStream = "/entries/{id}/verify-stream"
    case entryNotes = "/entries/{id}/notes"
    case entryRelease = "/entries/{id}/release"

    // Feed and category
    case feeds = "/feeds"
    case feedOrder = "/feeds/{id}/order"
    case categories = "/categories"
    case categoriesMove = "/categories/move"
    case categoryName = "/categories/{id}/name"
    case categoryGroup = "/categories/{id}/group"
    case categoryUnmerge = "/categories/{id}/unmerge"
    case categoryMerge = "/categories/{id}/merge"
    case categoryArchive = "/categories/{id}/archive"

    // Release
    case releases = "/releases"
    case release = "/releases/{number}"
    case releaseItems = "/releases/{number}/items"
    case releaseItem = "/releases/{number}/items/{id}"
    case releaseItemDelete = "/releases/{number}/items/{id}/delete"
    case releasePublish = "/releases/{number}/publish"
    case releaseSchedule = "/releases/{number}/schedule"
    case releaseScheduleUndo = "/releases/{number}/schedule/undo"
    case releaseDuplicate = "/releases/{number}/duplicate"
    case releaseMove = "/releases/{number}/move"
    case releaseCancel = "/releases/{number}/cancel"

    // Preview
    case previews = "/previews"
    case previewRevoke = "/previews/{id}/revoke"
    case preview = "/preview/{token}"
    case previewShared = "/preview/{token}/"
    case previewFeed = "/preview/{token}/feeds/{id}"
    case previewItem = "/preview/{token}/items/{id}"
    case previewApprove = "/preview/{token}/approve"

    // Background task
    case tasks = "/tasks"
    case tasksRetry = "/tasks/retry"
    case taskRetry = "/tasks/{id}/retry"

    // Publication, schedule
    case schedule = "/schedule"
    case publications = "/publications"
    case publicationsPlan = "/publications/plan"
    case publication = "/publications/{number}"
    case publicationRollback = "/publications/{number}/rollback"

    // Webhook
    case webhooks = "/webhooks"
    case webhook = "/webhooks/{id}"
    case webhookPause = "/webhooks/{id}/pause"
    case webhookResume = "/webhooks/{id}/resume"
    case webhookRotate = "/webhooks/{id}/rotate"
    case webhookTest = "/webhooks/{id}/test"
    case webhookDelete = "/webhooks/{id}/delete"
    case webhookReplay = "/webhooks/{id}/replay"
    case webhookDelivery = "/webhooks/{id}/deliveries/{delivery}"
    case webhookDeliveryReplay = "/webhooks/{id}/deliveries/{delivery}/replay"

    // Other content
    case onboarding = "/onboarding"
    case onboardingSet = "/onboarding/{id}"
    case texts = "/texts"
    case text = "/texts/{id}/{locale}"
    case settings = "/settings"

    // Media
    case media = "/media"
    case image = "/media/{id}"
    case mediaDescriptions = "/media/descriptions"
    case imageReplace = "/media/{id}/replace"
    case imageRestore = "/media/{id}/restore"
    case imageDelete = "/media/{id}/delete"
    case imageFile = "/media/{id}/image"
    case upload = "/media/uploads/{key}"
    case uploadDelete = "/media/uploads/{key}/delete"
    case externalImages = "/external-images"
    case externalImageRetry = "/external-images/{id}/retry"

    // Account
    case accounts = "/accounts"
    case account = "/accounts/{id}"
    case accountInvite = "/accounts/{id}/invite"
    case accountLink = "/accounts/{id}/link"
    case accountRole = "/accounts/{id}/role"
    case accountDisable = "/accounts/{id}/disable"
    case accountEnable = "/accounts/{id}/enable"
    case accountSessionRevoke = "/accounts/{id}/sessions/{session}/revoke"
    case accountScope = "/accounts/{id}/scope"
    case accountSecondFactorRemove = "/accounts/{id}/second-factor/remove"
    case roles = "/roles"
    case role = "/roles/{name}"
    case roleDelete = "/roles/{name}/delete"
    case ownAccount = "/account"
    case ownSession = "/session"
    case ownSessionRevoke = "/account/sessions/{session}/revoke"
    case ownPassword = "/account/password"
    case secondFactor = "/account/second-factor"
    case secondFactorVerify = "/account/second-factor/verify"
    case secondFactorCodesRotate = "/account/second-factor/codes/rotate"
    case secondFactorDelete = "/account/second-factor/delete"
    case password = "/password"
    case passwordReset = "/password/{token}"
    case invitation = "/welcome/{token}"

    // Administration
    case clients = "/clients"
    case client = "/clients/{id}"
    case clientLimit = "/clients/{id}/limit"
    case clientRotate = "/clients/{id}/rotate"
    case clientOldSecretRevoke = "/clients/{id}/old-secret/revoke"
    case clientRevoke = "/clients/{id}/revoke"
    case audit = "/audit"
    case auditExport = "/audit/export"
    case auditIntegrity = "/audit/integrity"
    case auditEvent = "/audit/events/{id}"

    /// Files of the media library, which is served below this path.
    package static let mediaFiles = "/media/"
}

/// The paths of the admin's pages, of the core or of a pack, with parameters in braces.
package protocol AdminPath: RawRepresentable<String>, CaseIterable, Sendable {}

extension AdminPath {
    /// The patterns by name, for `{{url name}}` in templates.
    package static var patterns: [String: String] {
        Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0.rawValue) })
    }

    /// The path with these values, in the order of its parameters, percent-encoded.
    package func callAsFunction(_ values: any CustomStringConvertible...) -> String { path(values) }

    package func path(_ values: [any CustomStringConvertible]) -> String {
        if values.isEmpty { return rawValue }
        var rest = values[...]
        return rawValue.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix("{") ? rest.popFirst().map { encoded("\($0)") } ?? "" : String(segment)
        }.joined(separator: "/")
    }

    /// Keeps letters, digits and `-._~`.
    private func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
