// Receives submissions, feed documents and observations.
import Intake

extension Services {
    package var receiveSubmission: ReceiveSubmission {
        ReceiveSubmission(database: database, rules: content, allowsAnonymous: allowsAnonymous)
    }
    package var importFeed: ImportFeed { ImportFeed(database: database, rules: content) }
    package var importObservations: ImportObservations { ImportObservations(database: database) }
    package var deleteObservations: DeleteObservations { DeleteObservations(database: database) }
    package var importPostcodes: ImportPostcodes { ImportPostcodes(database: database) }
}
