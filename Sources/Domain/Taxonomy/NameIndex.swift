// What a name means among entries: those with exactly this name, else this name in other case and spacing, else this synonym,
// else this slug.

package struct NameIndex: Sendable {
    package enum Match: Equatable, Sendable {
        case unknown
        case one(ID<Entry>)
        /// Nothing is guessed: people choose.
        case several([ID<Entry>])

        package var only: ID<Entry>? {
            if case .one(let id) = self { id } else { nil }
        }
    }

    /// The entries by exact name, by the key of the name, by the keys of other names, and by slug.
    private var levels = [[String: [ID<Entry>]]](repeating: [:], count: 4)

    package init() {}

    package mutating func add(_ id: ID<Entry>, named name: String, others: [String] = [], slug: String = "") {
        insert(id, PlainText.singleLine(name), at: 0)
        insert(id, Self.key(name), at: 1)
        for other in others { insert(id, Self.key(other), at: 2) }
        insert(id, slug, at: 3)
    }

    package func find(_ text: String) -> Match {
        let (exact, key) = (PlainText.singleLine(text), Self.key(text))
        for (level, name) in zip(levels, [exact, key, key, exact.lowercased()]) {
            if let found = level[name] { return found.count == 1 ? .one(found[0]) : .several(found) }
        }
        return .unknown
    }

    /// Without case, and with one blank for runs of blanks, and for `_` and `-` within words: `fish_and_chips` is
    /// `Fish and chips`, but neither `C#` nor `C-` is `C`.
    package static func key(_ name: String) -> String {
        PlainText.singleLine(name).lowercased().split(whereSeparator: \.isWhitespace).flatMap { word -> [Substring] in
            let parts = word.split(whereSeparator: isHyphen)
            let hasMark = word.first.map(isHyphen) ?? false || word.last.map(isHyphen) ?? false
            return hasMark && !parts.isEmpty ? [word] : parts
        }.joined(separator: " ")
    }

    private static func isHyphen(_ character: Character) -> Bool { character == "_" || character == "-" }

    private mutating func insert(_ id: ID<Entry>, _ name: String, at level: Int) {
        guard !name.isEmpty, levels[level][name]?.contains(id) != true else { return }
        levels[level][name, default: []].append(id)
    }
}
