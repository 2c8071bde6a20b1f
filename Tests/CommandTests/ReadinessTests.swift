// Tests what /readyz says about roles that a login lacks.
import Postgres
import Store
import Testing

@testable import vitrine

@Suite("Readiness")
struct ReadinessTests {
    @Test("A process names the roles that its own login needs, and no others", arguments: ["42501", "22023"])
    func roles(sqlState: String) {
        let error = PostgresError(kind: .unavailable, sqlState: sqlState, message: "could not start the session")
        let delivery = Readiness.problem(of: error, roles: Roles.standard.ofDelivery)
        let names = "vitrine_delivery, vitrine_reader, vitrine_guest"
        #expect(delivery.hasPrefix("the login of DATABASE_URL may not use \(names);"))
        #expect(!delivery.contains("vitrine_daemon"))
        let own = Readiness.problem(of: error, roles: ["vitrine_schedule"], login: "database.schedule_url")
        #expect(own.hasPrefix("the login of database.schedule_url may not use vitrine_schedule;"))
    }
}
