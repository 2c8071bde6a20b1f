// Finds a private cluster that runs already, without starting it.

extension PrivateCluster {
    /// The URL of one of its databases, if its server runs and responds; nil otherwise.
    package func runningURL(database: String) async -> String? {
        guard await adoptRunning() != nil else { return nil }
        return url(database: database)
    }
}
