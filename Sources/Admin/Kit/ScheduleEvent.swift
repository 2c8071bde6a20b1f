// Something that happens at a time: a release.

struct ScheduleEvent: Encodable, Sendable {
    /// An entry of a release.
    struct Entry: Encodable, Sendable {
        let title: String
        let url: String
        /// Nil if it is published.
        let change: String?
    }

    /// By the clocks of the person's zone: `2026-11-20 18:00`.
    let local: String
    let time: String
    /// What happens, such as "Starts", or the state of a release.
    let label: String
    let tone: String
    let title: String
    let url: String
    let detail: String?
    /// Where it is moved, and its time as the links there write it; nil if that can't be.
    let moveURL: String?
    let movedFrom: String
    let entries: [Entry]

    init(
        local: String, label: String, tone: String, title: String, url: String, detail: String?, moveURL: String?,
        entries: [Entry]
    ) {
        self.local = local
        time = String(local.dropFirst(11))
        self.label = label
        self.tone = tone
        self.title = title
        self.url = url
        self.detail = detail
        self.moveURL = moveURL
        movedFrom = local.replacing(" ", with: "T")
        self.entries = entries
    }

    /// `2026-11-20`
    var day: String { String(local.prefix(10)) }
}
