// The services that receive and decide submissions: the part of the API that needs more than the read tables.
import Intake
import Review
import Store

struct APIServices: Sendable {
    let database: Database
    let receive: ReceiveSubmission
    let decide: DecideSubmission

    init(database: Database, _ context: APIContext) {
        self.database = database
        receive = ReceiveSubmission(
            database: database, rules: context.rules, allowsAnonymous: context.allowsAnonymous)
        decide = DecideSubmission(database: database, rules: context.rules)
    }
}
