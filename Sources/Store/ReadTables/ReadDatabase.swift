// The read tables as the delivery API sees them: one connection for guests, one for readers.
import Domain
import Postgres

/// The rights of a read. The database roles behind them, not this code, decide what each may see (A16).
package enum ReadScope: Sendable {
    /// Previews only.
    case guest
    /// Full texts and videos too.
    case reader
}

/// Everything that the delivery API reads: the schemas `api_v1` and `delivery`, and nothing else.
package final class ReadDatabase: Sendable {
    private let guest: StoreConnection
    private let reader: StoreConnection
    private let guestSearch: StoreConnection
    private let readerSearch: StoreConnection
    private let previews: ReadDocuments
    private let fullDocuments: ReadDocuments
    /// The publication that readers see; part of entity tags.
    package let clock: PublicationClock
    /// By the name of the pack.
    private let moments: [String: MomentClock]
    /// The API clients, read with a role that may see nothing else.
    package let clients: ClientStore
    package let identities: IdentityStore
    package let packs: PackSet

    /// Each connection uses the role of its name; `searches` are those for searches and copies, so that other reads don't wait
    /// behind one, and the same unless given. Listens for publications, except on a standby, which does not support
    /// LISTEN: there the publication number is read every two seconds.
    package init(
        guest: PostgresClient, reader: PostgresClient, delivery: PostgresClient,
        searches: (guest: PostgresClient, reader: PostgresClient)? = nil, packs: PackSet, listens: Bool = true,
        clock: MonotonicClock = .system
    ) {
        self.packs = packs
        self.guest = StoreConnection(guest, packs: packs)
        self.reader = StoreConnection(reader, packs: packs)
        guestSearch = searches.map { StoreConnection($0.guest, packs: packs) } ?? self.guest
        readerSearch = searches.map { StoreConnection($0.reader, packs: packs) } ?? self.reader
        previews = ReadDocuments(guest, tables: ["item", "feed"])
        fullDocuments = ReadDocuments(reader, tables: ["item_full", "feed_full", "video"])
        self.clock = PublicationClock(guest, clock)
        clients = ClientStore(connection: StoreConnection(delivery, packs: packs))
        identities = IdentityStore(connection: StoreConnection(delivery, packs: packs))
        moments = packs.moments.mapValues { [guest = self.guest] in MomentClock(guest, $0, clock) }
        if listens { self.clock.listen(guest) }
    }

    /// The replication status of the database behind the reads.
    package func replicationStatus() async throws -> ReplicationStatus {
        try await ReplicationStatus.read(guest: guest, delivery: clients.connection)
    }

    /// When time alone last changed the read tables of this pack, or of any; part of the entity tags of responses with their
    /// rows. Nil if time changes none of them.
    package func lastMoment(of pack: String?, asOf publication: TaggedNumber) async throws -> Int64? {
        var last: Int64?
        for (name, clock) in moments where pack == nil || pack == name {
            last = max(last ?? 0, try await clock.last(asOf: publication))
        }
        return last
    }

    package func rows(as scope: ReadScope) -> ReadStores {
        switch scope {
        case .guest:
            ReadStores(scope: scope, connection: guest, searchConnection: guestSearch, documents: previews)
        case .reader:
            ReadStores(scope: scope, connection: reader, searchConnection: readerSearch, documents: fullDocuments)
        }
    }
}

/// The stores of the read tables on one of the connections. Each call is one query; documents are the bytes that the
/// publication wrote.
package struct ReadStores: Sendable {
    package let scope: ReadScope
    package let connection: StoreConnection
    /// For statements that may take long.
    package let searchConnection: StoreConnection
    let documents: ReadDocuments
    package var packs: PackSet { connection.packs }

    package var discover: DiscoverReads { DiscoverReads(connection: connection) }
    package var feeds: FeedReads { FeedReads(scope: scope, connection: connection, documents: documents) }
    package var items: ItemReads { ItemReads(scope: scope, connection: connection, documents: documents) }
    package var videos: VideoReads { VideoReads(connection: connection, documents: documents) }
    package var categories: CategoryReads { CategoryReads(connection: connection) }
    package var media: MediaReads { MediaReads(connection: connection) }
    package var texts: TextReads { TextReads(connection: connection) }
    package var settings: SettingReads { SettingReads(connection: connection) }
    package var onboarding: OnboardingReads { OnboardingReads(connection: connection) }
    package var search: SearchReads { SearchReads(scope: scope, connection: searchConnection) }
    package var changes: ChangeReads { ChangeReads(scope: scope, connection: searchConnection) }
    package var tables: TableReads { TableReads(scope: scope, connection: searchConnection) }
    package var events: EventReads { EventReads(connection: connection) }
    package var publications: PublicationReads { PublicationReads(connection: connection) }
    package var offline: OfflineReads { OfflineReads(connection: connection) }
    package var syndication: SyndicationReads { SyndicationReads(scope: scope, connection: searchConnection) }
    package var slugs: ResolveReads { ResolveReads(connection: connection) }
}
