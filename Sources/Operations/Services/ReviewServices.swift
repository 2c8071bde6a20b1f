// Decides, sorts and screens submissions.
import Platform

extension Services {
    package var decideSubmission: DecideSubmission {
        DecideSubmission(database: database, rules: content, policy: reviewPolicy, gather: gatherApprovals)
    }
    package var readReviewPermissions: ReadReviewPermissions {
        ReadReviewPermissions(database: database, rules: content, policy: reviewPolicy)
    }
    package var undoDecision: UndoDecision {
        UndoDecision(database: database, graceMinutes: reviewPolicy.undoWindowMinutes)
    }
    package var planBulkAction: PlanBulkAction { PlanBulkAction(database: database) }
    package var runBulkAction: RunBulkAction { RunBulkAction(database: database, rules: content, policy: reviewPolicy) }
    package var undoBulkAction: UndoBulkAction {
        UndoBulkAction(database: database, graceMinutes: reviewPolicy.undoWindowMinutes)
    }
    package var approveStage: ApproveStage { ApproveStage(database: database) }
    package var claimSubmission: ClaimSubmission {
        ClaimSubmission(database: database, minutes: reviewPolicy.claimMinutes)
    }
    package var triageSubmission: TriageSubmission { TriageSubmission(database: database) }
    package var addNote: AddNote { AddNote(database: database) }
    package var findSimilar: FindSimilar { FindSimilar(database: database, rules: content) }
    package var resubmitSubmission: ResubmitSubmission {
        ResubmitSubmission(database: database, rules: content, blocked: blocked)
    }
    package var appealRejection: AppealRejection { AppealRejection(database: database, blocked: blocked) }
    package var manageContributor: ManageContributor { ManageContributor(database: database) }
    package var decideReport: DecideReport { DecideReport(database: database) }
    package var manageScreening: ManageScreening { ManageScreening(database: database, rules: content) }
    package var saveView: SaveView { SaveView(database: database) }

    /// `key`: creates and opens status links; nil while it is unusable.
    package func trackSubmission(_ key: LinkKey?) -> TrackSubmission {
        TrackSubmission(database: database, key: key, days: reviewPolicy.statusDays)
    }
}
