// What a daemon runs for catalogs: the search of the pages, and the refresh in the background.
import Domain
import Fetch
import Store
import Tasks

extension PackDaemon {
    static let lists = PackDaemon(
        configured: { [try CatalogRules($0)] },
        prepare: { daemon in
            let rules = try CatalogRules(daemon.settings)
            let client = FetchClient(policy: rules.policy, threads: 4)
            let (database, log) = (daemon.database, daemon.log)
            return Running(
                services: [
                    CatalogServices(
                        rules: rules, search: SearchCatalog(database: database, rules: rules, client: client, log: log))
                ],
                loops: [
                    CatalogRefreshLoop(
                        database: database,
                        refresh: RefreshCatalog(database: database, rules: rules, client: client, log: log),
                        find: FindReferenced(
                            database: database, types: daemon.content.types, rules: rules, client: client, log: log),
                        log: log, loop: daemon.loop)
                ])
        })
}
