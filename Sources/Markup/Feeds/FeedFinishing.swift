// Completes parsed entries: limits lengths, fills missing titles, makes IDs unique.
import Localization

enum FeedFinishing {
    static func finish(_ entries: inout [FeedEntry]) throws(FeedError) {
        var usedIDs: [String: Int] = [:]
        usedIDs.reserveCapacity(entries.count)
        for index in entries.indices {
            try limit(&entries[index])
            setID(&entries[index], usedIDs: &usedIDs)
            setTitle(&entries[index])
        }
    }

    /// Atom entries with the same id are versions of one entry (RFC 4287, 4.1.2): keeps the most recently updated one, at
    /// the place of the first. In RSS a repeated guid is only a mistake.
    static func newestVersions(of entries: [FeedEntry]) -> [FeedEntry] {
        var kept: [FeedEntry] = []
        var places: [String: Int] = [:]
        for entry in entries {
            guard !entry.id.isEmpty, let place = places[entry.id] else {
                places[entry.id] = kept.count
                kept.append(entry)
                continue
            }
            // RFC 3339 in UTC sorts as text.
            if entry.updated ?? "" > kept[place].updated ?? "" { kept[place] = entry }
        }
        return kept
    }

    private static func limit(_ entry: inout FeedEntry) throws(FeedError) {
        guard entry.html.utf8.count <= FeedLimits.htmlBytes else {
            throw FeedError(.limit, tr("The text of an entry is larger than 1 MiB."))
        }
        entry.title = FeedText.cut(entry.title, to: FeedLimits.titleCharacters)
        entry.summary = entry.summary.map { FeedText.cut($0, to: FeedLimits.summaryCharacters) }
        if entry.summary?.isEmpty == true { entry.summary = nil }
        entry.author = entry.author.map { FeedText.cut($0, to: FeedLimits.nameCharacters) }
        var categories: [String] = []
        for category in entry.categories where !category.isEmpty && categories.count < FeedLimits.categories {
            let name = FeedText.cut(category, to: FeedLimits.nameCharacters)
            if !categories.contains(name) { categories.append(name) }
        }
        entry.categories = categories
    }

    /// Makes shared IDs unique by a hash of the content, and identical entries by a number.
    /// - Parameter usedIDs: the IDs so far, with the last number appended to each.
    private static func setID(_ entry: inout FeedEntry, usedIDs: inout [String: Int]) {
        let hash = fingerprint(entry)
        if entry.id.isEmpty { entry.id = entry.url ?? hash }
        if entry.id.utf8.count > FeedLimits.idBytes { entry.id = hash }
        if usedIDs[entry.id] != nil { entry.id += "#" + hash }
        let shared = entry.id
        while let last = usedIDs[entry.id] {
            let number = max(last, usedIDs[shared] ?? 0) + 1
            usedIDs[shared] = number
            entry.id = "\(shared)-\(number)"
        }
        usedIDs[entry.id] = 1
    }

    /// FNV-1a over ID, title, URL and date. Only distinguishes the entries of one document.
    private static func fingerprint(_ entry: FeedEntry) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let date = entry.published ?? entry.updated ?? ""
        let said = [entry.id, entry.title, entry.url ?? "", date]
        // An entry without other data is identified by its text.
        let parts = said.allSatisfy(\.isEmpty) ? [entry.html, entry.media.first?.url ?? ""] : said
        for byte in parts.joined(separator: "\0").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return "hash:" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The title of an untitled entry: the first words of its text.
    private static func setTitle(_ entry: inout FeedEntry) {
        guard entry.title.isEmpty else { return }
        let text = entry.summary ?? FeedText.plain(entry.html, without: .all)
        let named = [text, entry.media.lazy.compactMap(\.title).first ?? "", entry.url ?? ""]
        entry.title = FeedText.cut(named.first { !$0.isEmpty } ?? "Untitled", to: 80)
    }
}
