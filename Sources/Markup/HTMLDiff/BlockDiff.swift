// Compares lists of blocks: which are the same, added, removed, moved or changed.

import Diff

struct BlockDiff {
    enum Change {
        case same(HTMLDiffNode)
        case added(HTMLDiffNode)
        case removed(HTMLDiffNode)
        /// The same block at another position: where it was, and where it is.
        case movedAway(HTMLDiffNode)
        case moved(HTMLDiffNode)
        case changed(old: HTMLDiffNode, new: HTMLDiffNode)
    }

    /// Pairs of removed and added blocks that are tried in one gap between unchanged blocks.
    private static let maximumPairs = 4_000
    /// Blocks with a smaller part of their words in common are not the same block.
    private static let minimumSimilarity = 0.35
    /// Lists, tables and others that contain blocks, which are compared in their turn.
    private static let minimumOfContainers = 0.15
    /// Each of them belongs to the one at the same position, whatever it contains.
    private static let byPosition: Set<String> = [
        "td", "th", "caption", "summary", "figcaption", "thead", "tbody", "tfoot",
    ]

    private(set) var cost = 0

    mutating func spend(_ work: Int) { cost += work }

    /// The edits that `count` blocks or words may have without exceeding the limit of the whole comparison.
    func patience(for count: Int) -> Int {
        min(TextDiff.patience, max(0, HTMLDiff.maximumCost - cost) / (count + 1))
    }

    mutating func changes(from old: [HTMLDiffNode], to new: [HTMLDiffNode]) -> [Change] {
        var numbers: [Int: Int32] = [:]
        func number(_ node: HTMLDiffNode) -> Int32 {
            if let known = numbers[node.key] { return known }
            numbers[node.key] = Int32(numbers.count)
            return Int32(numbers.count - 1)
        }
        let patience = patience(for: old.count + new.count)
        let steps = ShortestEdit.steps(from: old.map(number), to: new.map(number), patience: patience)
        guard let steps else {
            cost += (old.count + new.count) * patience
            return marked(paired(old, new))
        }
        var changes: [Change] = []
        var (removed, added): ([HTMLDiffNode], [HTMLDiffNode]) = ([], [])
        var edits = 1
        for step in steps {
            switch step {
            case .keep(let index):
                changes += paired(removed, added)
                (removed, added) = ([], [])
                changes.append(.same(new[index]))
            case .remove(let index):
                removed.append(old[index])
                edits += 1
            case .add(let index):
                added.append(new[index])
                edits += 1
            }
        }
        cost += (old.count + new.count) * edits
        return marked(changes + paired(removed, added))
    }

    // MARK: Changed blocks

    /// The order of the removed and added blocks of a gap in which the most similar ones are pairs.
    private mutating func paired(_ removed: [HTMLDiffNode], _ added: [HTMLDiffNode]) -> [Change] {
        if removed.isEmpty || added.isEmpty { return removed.map(Change.removed) + added.map(Change.added) }
        if removed.count == added.count,
            zip(removed, added).allSatisfy({ $0.name == $1.name && Self.byPosition.contains($0.name) })
        {
            return zip(removed, added).map { $0.key == $1.key ? .same($1) : .changed(old: $0, new: $1) }
        }
        let pairs = removed.count * added.count
        guard pairs <= Self.maximumPairs, cost < HTMLDiff.maximumCost else {
            // In a long list each item of which changed, the items correspond by their position.
            guard removed.count == added.count, cost < HTMLDiff.maximumCost else {
                return removed.map(Change.removed) + added.map(Change.added)
            }
            return zip(removed, added).flatMap { old, new -> [Change] in
                cost += old.words.count + new.words.count
                return Self.similarity(old, new) > 0 ? [.changed(old: old, new: new)] : [.removed(old), .added(new)]
            }
        }
        let similarities = removed.map { old in added.map { Self.similarity(old, $0) } }
        cost += zip(removed, similarities).reduce(0) { $0 + $1.0.words.count * $1.1.count }
        return aligned(removed, added, similarities)
    }

    private func aligned(
        _ removed: [HTMLDiffNode], _ added: [HTMLDiffNode], _ similarities: [[Double]]
    ) -> [Change] {
        // best[i][j]: the highest sum of similarities of the pairs among removed[i...] and added[j...].
        var best = [[Double]](repeating: [Double](repeating: 0, count: added.count + 1), count: removed.count + 1)
        for i in removed.indices.reversed() {
            for j in added.indices.reversed() {
                best[i][j] = max(best[i + 1][j], best[i][j + 1])
                let similarity = similarities[i][j]
                if similarity > 0 { best[i][j] = max(best[i][j], best[i + 1][j + 1] + similarity) }
            }
        }
        var changes: [Change] = []
        var (i, j) = (0, 0)
        while i < removed.count, j < added.count {
            let similarity = similarities[i][j]
            if similarity > 0, best[i][j] == best[i + 1][j + 1] + similarity {
                changes.append(.changed(old: removed[i], new: added[j]))
                (i, j) = (i + 1, j + 1)
            } else if best[i][j] == best[i + 1][j] {
                changes.append(.removed(removed[i]))
                i += 1
            } else {
                changes.append(.added(added[j]))
                j += 1
            }
        }
        return changes + removed[i...].map(Change.removed) + added[j...].map(Change.added)
    }

    /// From 0 to 1; 0 for blocks that can't be compared or have too little in common.
    private static func similarity(_ old: HTMLDiffNode, _ new: HTMLDiffNode) -> Double {
        guard isComparable(old, new) else { return 0 }
        let (left, right) = (old.words, new.words)
        if left.isEmpty && right.isEmpty { return old.name == new.name ? 0.5 : 0 }
        var (i, j, common) = (0, 0, 0)
        while i < left.count, j < right.count {
            if left[i] == right[j] {
                (i, j, common) = (i + 1, j + 1, common + 1)
            } else if left[i] < right[j] {
                i += 1
            } else {
                j += 1
            }
        }
        let similarity = 2 * Double(common) / Double(left.count + right.count)
        let minimum = old.isLeaf || new.isLeaf ? minimumSimilarity : minimumOfContainers
        return similarity < minimum ? 0 : similarity
    }

    private static let exchangeable: [Set<String>] = [["ul", "ol"], ["td", "th"], ["dt", "dd"]]

    /// Paragraphs with paragraphs, lists with lists; and a paragraph with what contains nothing else, such as a quotation.
    private static func isComparable(_ old: HTMLDiffNode, _ new: HTMLDiffNode) -> Bool {
        if old.isLeaf && new.isLeaf { return (old.name == "hr") == (new.name == "hr") }
        if !old.isLeaf && !new.isLeaf {
            return old.name == new.name || exchangeable.contains { $0.contains(old.name) && $0.contains(new.name) }
                || (old.onlyLeaf != nil && new.onlyLeaf != nil)
        }
        return (old.isLeaf ? new : old).onlyLeaf != nil
    }

    // MARK: Moved blocks

    /// Blocks that were removed at one position and added at another are moved.
    private func marked(_ changes: [Change]) -> [Change] {
        var removed: [Int: Int] = [:]
        for case .removed(let node) in changes where node.weight > 1 { removed[node.key, default: 0] += 1 }
        if removed.isEmpty { return changes }
        var moved: [Int: Int] = [:]
        let result = changes.map { change -> Change in
            guard case .added(let node) = change, let count = removed[node.key], count > 0 else { return change }
            removed[node.key] = count - 1
            moved[node.key, default: 0] += 1
            return .moved(node)
        }
        return result.map { change in
            guard case .removed(let node) = change, let count = moved[node.key], count > 0 else { return change }
            moved[node.key] = count - 1
            return .movedAway(node)
        }
    }
}
