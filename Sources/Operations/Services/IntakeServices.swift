// Receives submissions and feed documents.
import Platform

extension Services {
    package var receiveSubmission: ReceiveSubmission {
        ReceiveSubmission(database: database, rules: content, allowsAnonymous: allowsAnonymous, blocked: blocked)
    }
    package var receiveReport: ReceiveReport { ReceiveReport(database: database) }
    package var manageSubmissionForm: ManageSubmissionForm { ManageSubmissionForm(database: database, rules: content) }

    /// `key`: signs the pages of submission forms; nil while it is unusable.
    package func submitForm(_ key: LinkKey?) -> SubmitForm {
        SubmitForm(database: database, rules: content, key: key, perNetwork: formsPerNetwork, blocked: blocked)
    }
    package var importFeed: ImportFeed {
        ImportFeed(
            receive: ReceiveSubmission(database: database, rules: content, allowsAnonymous: true, blocked: blocked))
    }
}
