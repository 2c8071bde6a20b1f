// Completes parsed entries: limits lengths, fills missing titles, makes IDs unique.
import Localization

enum FeedFinishing {
    static func finish(_ entries: inout [FeedEntry]) {
        var usedIDs: [String: Int] = [:]
        var shares: [String: Int] = [:]
        usedIDs.reserveCapacity(2 * entries.count)
        for index in entries.indices {
            limit(&entries[index])
            setOwnID(&entries[index])
            usedIDs[entries[index].ownID] = 1
            shares[entries[index].ownID, default: 0] += 1
        }
        for index in entries.indices {
            setContentID(&entries[index], usedIDs: &usedIDs)
            let entry = entries[index]
            entries[index].id = shares[entry.ownID] == 1 ? entry.ownID : entry.contentID
            setTitle(&entries[index])
        }
    }

    /// Atom entries with the same id are versions of one entry (RFC 4287, 4.1.2): keeps the most recently updated one, at
    /// the place of the first. Where neither URL nor title is the same, the id is a mistake, as a repeated guid of RSS is.
    static func newestVersions(of entries: [FeedEntry]) -> [FeedEntry] {
        var kept: [FeedEntry] = []
        var known: [[String]: Int] = [:]
        for entry in entries {
            var keys: [[String]] = []
            if !entry.id.isEmpty { keys.append([entry.id, "url", entry.url ?? ""]) }
            if !entry.id.isEmpty, !entry.title.isEmpty { keys.append([entry.id, "title", entry.title]) }
            let index = keys.compactMap { known[$0] }.first ?? kept.count
            for key in keys { known[key] = index }
            if index == kept.count {
                kept.append(entry)
            } else if entry.updated ?? "" > kept[index].updated ?? "" {
                // RFC 3339 in UTC sorts as text.
                kept[index] = entry
            }
        }
        return kept
    }

    private static func limit(_ entry: inout FeedEntry) {
        if entry.html.utf8.count > FeedLimits.htmlBytes {
            entry.html = ""
            entry.problem = tr("The text of the entry is larger than 1 MiB.")
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

    private static func setOwnID(_ entry: inout FeedEntry) {
        entry.ownID = entry.id.isEmpty ? entry.url ?? "" : entry.id
        if !entry.ownID.isEmpty, entry.ownID.utf8.count <= FeedLimits.idBytes { return }
        let named = [entry.id, entry.title, entry.url ?? "", entry.published ?? entry.updated ?? ""]
        // An entry without other data is identified by its text.
        entry.ownID = hash(named.allSatisfy(\.isEmpty) ? [entry.html, entry.media.first?.url ?? ""] : named)
    }

    /// - Parameter usedIDs: the IDs so far, with the last number appended to each.
    private static func setContentID(_ entry: inout FeedEntry, usedIDs: inout [String: Int]) {
        let shared =
            entry.ownID + "#" + hash([entry.ownID, entry.title, entry.url ?? "", entry.published ?? ""])
        entry.isRepeated = usedIDs[shared] != nil
        entry.contentID = shared
        while let last = usedIDs[entry.contentID] {
            let number = max(last, usedIDs[shared] ?? 0) + 1
            usedIDs[shared] = number
            entry.contentID = "\(shared)-\(number)"
        }
        usedIDs[entry.contentID] = 1
    }

    /// FNV-1a. Only distinguishes the entries of one feed.
    private static func hash(_ parts: [String]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
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
