// What a line of a release changes for readers, in a few words.
import Domain
import Localization
import Markup
import Store

extension ReleaseItemRow {
    /// Fields that are named; of more, two are, with the number of the others.
    private static let named = 3

    /// `New, by NAME`, or `Title and Lead image changed since version 3`; nil if it unpublishes the entry.
    func summary(in type: ContentType?) -> String? {
        guard revision != nil else { return nil }
        if isNew { return tr("New, by \(SpoofCheck(name: author).shown)", context: "release item") }
        guard let live else { return tr("Unpublished now", context: "release item") }
        let labels = labels(in: type)
        if labels.isEmpty { return tr("Nothing changed since version \(live)", context: "release item") }
        return tr("\(Self.list(labels)) changed since version \(live)", context: "release item")
    }

    /// In the order of the form; fields that the type doesn't have keep their names.
    private func labels(in type: ContentType?) -> [String] {
        let changed = changed(in: type)
        let known = (type?.fields ?? []).filter { changed.contains($0.name) }
        let names = Set(known.map(\.name))
        return known.map(\.label) + changed.filter { !names.contains($0) }
    }

    private static func list(_ labels: [String]) -> String {
        guard let last = labels.last, labels.count > 1 else { return labels.first ?? "" }
        if labels.count <= named {
            return tr("\(labels.dropLast().joined(separator: ", ")) and \(last)", context: "release item")
        }
        let shown = labels.prefix(named - 1)
        let rest = labels.count - shown.count
        return tr("\(shown.joined(separator: ", ")) and \(rest) more fields", context: "release item")
    }
}
