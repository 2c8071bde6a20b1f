// What every connection of one client has in common.

struct ConnectionSettings: Sendable {
    let configuration: PostgresConfiguration
    let address: ServerAddress
    /// How long a connection attempt may take, from the lookup of the name to the last setting.
    let connectLimit: Duration = .seconds(3)

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        address = ServerAddress(configuration: configuration)
    }

    /// The statements that make a fresh session ours.
    var sessionStart: [SQL] {
        // Text results are read in ISO style, whatever the role or the database prefers.
        let style: SQL = "set datestyle to 'ISO'"
        guard let role = configuration.role else { return [style] }
        return [style, "set role \(raw: SQLName.quoted(role))"]
    }
}

/// Names that are data (a role, a channel, a database) in SQL text.
package enum SQLName {
    package static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
