// What a connection is doing, and what its session needs.
import CPostgres

extension PostgresConnection {
    /// Whether the session is between two transactions with nothing in flight.
    var isIdle: Bool {
        guard let handle else { return false }
        return isReady && inFlight.isEmpty && PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    /// Whether a transaction is open, as one of a migration should be.
    var isInTransaction: Bool {
        guard let handle else { return false }
        return PQtransactionStatus(handle) == PQTRANS_INTRANS
    }

    /// What a statement on this connection begins with.
    var localRole: SQL? { pooledBackend == nil || mode == .simple ? nil : settings.localRole }

    /// What a transaction of a client with these settings begins with.
    func localRole(of client: ConnectionSettings) -> SQL? {
        if localRole != nil { return client.localRole }
        guard let role = client.configuration.role, role != settings.configuration.role else { return nil }
        return "set local role \(raw: SQLName.quoted(role))"
    }

    /// Closes a connection that is not needed: what is known of its pooler stays.
    func end(_ reason: String) {
        let keepsSessions = settings.pooler.keepsSessions
        close(.unavailable(reason))
        settings.pooler.keepsSessions = keepsSessions
    }
}
