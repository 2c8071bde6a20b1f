// When actions on categories reach readers: chosen once for the whole board (at once, as drafts, with a release), kept in its address.
import Domain
import HTTP
import Store

/// The model of the choice at the top of the board, and of the hidden field that every form of it carries.
struct CategoryTiming: Encodable, Sendable {
    struct Choice: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    /// `now`, `draft`, or the number of a release.
    let value: String
    let choices: [Choice]
    /// The release that what is changed goes into.
    let release: Int64?
    let isDraft: Bool
    let isNow: Bool

    init(_ request: AdminRequest) async throws {
        let actor = request.actor
        let asked = request.text("when") ?? ""
        var offers: [(String, String)] = []
        if actor.may(.publish, on: "category") { offers.append(("now", "At once")) }
        offers.append(("draft", "As drafts"))
        if actor.may(.makeRelease) {
            let releases = request.database.releases
            for release in try await releases.open(limit: 50) + releases.scheduled(limit: 50) {
                let time = release.wallTime.isEmpty ? "" : ", \(release.wallTime)"
                offers.append((String(release.number), "With release \(release.number): \(release.title)\(time)"))
            }
        }
        let chosen = offers.contains { $0.0 == asked } ? asked : offers[0].0
        value = chosen
        choices = offers.map { Choice(value: $0.0, label: $0.1, isChosen: $0.0 == chosen) }
        release = Int64(chosen)
        isDraft = chosen == "draft"
        isNow = chosen == "now"
    }

    var timing: EditTiming {
        release.map(EditTiming.release) ?? (isNow ? .now : .draft)
    }

    /// What a form asks for. A release that was finished meanwhile is refused by the action, not turned into something else.
    static func read(_ request: AdminRequest) -> EditTiming {
        let asked = request.form.first("when") ?? ""
        if let number = Int64(asked) { return .release(number) }
        return asked == "draft" ? .draft : .now
    }

    /// The board, with the choice that was made.
    static func board(_ request: AdminRequest, at row: ID<Entry>? = nil) -> String {
        let asked = request.form.first("when") ?? ""
        let query = asked.isEmpty ? "" : "?" + FormFields([FormFields.Field(name: "when", value: asked)]).urlEncoded
        return "/categories" + query + (row.map { "#row-\($0)" } ?? "")
    }
}
