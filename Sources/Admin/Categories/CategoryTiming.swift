// When edits of categories and of a feed's order are published: now, as drafts or in a release. The URL keeps the choice.
import Domain
import HTTP
import Localization
import Store

/// The model of the menu at the top of the board and of the hidden field in each of its forms.
struct CategoryTiming: Encodable, Sendable {
    /// `now`, `draft`, or the number of a release.
    let value: String
    let choices: [Option]
    /// The release that edits are added to.
    let release: Int64?
    let isDraft: Bool
    let isNow: Bool

    /// `type`: what is edited.
    init(_ request: AdminRequest, on type: String = "category") async throws {
        let actor = request.actor
        let requested = request.text("when") ?? ""
        var options: [(String, String)] = []
        if actor.may(.approve), actor.may(.publish, on: type) {
            options.append(("now", tr("Now", context: "category timing")))
        }
        options.append(("draft", tr("Save as drafts")))
        if actor.may(.approve), actor.may(.createRelease) {
            let releases = request.database.releases
            for release in try await releases.open(limit: 50) + releases.scheduled(limit: 50) {
                let time = release.time.map { ", \($0)" } ?? ""
                options.append(
                    (
                        String(release.number),
                        tr("Release \(release.number): \(release.title)\(time)", context: "category timing")
                    ))
            }
        }
        let chosen = options.contains { $0.0 == requested } ? requested : options[0].0
        value = chosen
        choices = Option.list(options, chosen: chosen)
        release = Int64(chosen)
        isDraft = chosen == "draft"
        isNow = chosen == "now"
    }

    /// The timing requested by a form. The action refuses a release that was finished meanwhile.
    static func read(_ request: AdminRequest) throws -> PublishTiming {
        try PublishTiming(choice: request.form.first("when") ?? "") ?? .now
    }

    /// The URL of the board with the chosen timing.
    static func board(_ request: AdminRequest, at row: ID<Entry>? = nil) -> String {
        AdminURL.categories(query: ["when": request.form.first("when")]) + (row.map { "#row-\($0)" } ?? "")
    }
}
