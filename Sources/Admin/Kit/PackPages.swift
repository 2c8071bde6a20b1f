// What a pack adds to the admin: pages, their paths, links in the navigation, and bars of the schedule.
import Domain
import Store

package struct PackPages: PackPart {
    /// Links in the section of the content, in the language of the task.
    package typealias Navigation = @Sendable () -> [(label: String, url: String)]

    /// What failed and waits for somebody: a label, how many, and the page that shows them.
    package typealias Attention =
        @Sendable (AdminRequest) async throws -> [(label: String, count: Int, url: String)]

    /// What lasts on some days, earliest first, at most so many.
    package typealias Schedule =
        @Sendable (AdminRequest, ScheduleDays, _ limit: Int) async throws -> [ScheduleSpan]

    /// For `{{url name}}` in templates; a name has one path among all packs.
    let patterns: [String: String]
    let endpoints: [AdminEndpoint]
    let navigation: Navigation
    let attention: Attention
    let schedule: Schedule

    package init<Path: AdminPath>(
        _ paths: Path.Type, _ endpoints: [AdminEndpoint], _ navigation: @escaping Navigation,
        attention: @escaping Attention = { _ in [] }, schedule: @escaping Schedule = { _, _, _ in [] }
    ) {
        patterns = paths.patterns
        self.endpoints = endpoints
        self.navigation = navigation
        self.attention = attention
        self.schedule = schedule
    }
}
