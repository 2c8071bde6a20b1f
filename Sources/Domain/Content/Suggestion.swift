// Suggests the known name closest to an unknown one: "Did you mean ...?"
import Localization

package enum Suggestion {
    /// The sentence, followed by a suggestion if a known name is similar enough.
    package static func sentence(_ sentence: String, for name: String, among known: some Sequence<String>) -> String {
        nearest(to: name, among: known).map { tr("\(sentence) Did you mean \($0)?") } ?? sentence
    }

    /// The first of the names that are not known, in their order: an input may have a hundred thousand.
    package static func unknown(_ names: some Sequence<String>, besides known: some Collection<String>) -> [String] {
        let most = 20
        var first: [String] = []
        for name in names where !known.contains(name) {
            if first.count == most, first[most - 1] < name { continue }
            first.insert(name, at: first.firstIndex { name < $0 } ?? first.endIndex)
            if first.count > most { first.removeLast() }
        }
        return first
    }

    private static func nearest(to name: String, among known: some Sequence<String>) -> String? {
        // The cost is the product of both lengths; no known name is longer.
        guard name.utf8.count <= 64 else { return nil }
        // Up to one edit per three bytes, but never a name without anything in common.
        let limit = min((name.utf8.count + 2) / 3, name.utf8.count - 1)
        return known.sorted().map { ($0, distance(Array(name.lowercased().utf8), Array($0.lowercased().utf8))) }
            .filter { $0.1 <= limit }
            .min { $0.1 < $1.1 }?.0
    }

    /// The Levenshtein distance in bytes.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in b.enumerated() {
                let replaced = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
