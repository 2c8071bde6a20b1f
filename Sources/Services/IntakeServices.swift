// Receives submissions and feed documents.
import Intake

extension Services {
    package var receiveSubmission: ReceiveSubmission {
        ReceiveSubmission(database: database, rules: content, allowsAnonymous: allowsAnonymous)
    }
    package var importFeed: ImportFeed { ImportFeed(database: database, rules: content) }
}
