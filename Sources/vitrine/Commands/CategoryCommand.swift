// Lists categories with exact member counts.
import CommandKit
import Domain
import Operations
import Platform
import Store

enum CategoryCommand {
    static let entries =
        [
            CommandEntry(
                "category", "list", summary: "List categories by group and position, with their published members.",
                details: "Also shows merges and possible duplicates.", options: [CommandRun.json], run: list)
        ] + CategoryActionCommand.entries

    private struct Line: Encodable {
        let id: ID<Entry>
        let slug: String
        let title: String
        let group: Int64?
        let position: Int
        let members: Int
        let live: Bool
        let merged_into: String?
        let similar: [String]
    }

    private static func list(_ run: CommandRun) async throws -> ExitCode {
        let (groups, directory, counts) = try await run.withDatabase { database, _ in
            let directory = try await CategoryDirectory.load(database)
            return (
                try await database.entries.choices(.categoryGroup), directory,
                try await database.entries.memberCounts("categories", of: directory.categories.map(\.id))
            )
        }
        let categories = directory.categories
        let similar = directory.similar()
        let numbers = Dictionary(groups.map { ($0.id, $0.content["number"]?.integerValue) }) { first, _ in first }
        let lines = categories.map { category in
            Line(
                id: category.id, slug: category.slug, title: category.title,
                group: category.categoryGroup.flatMap { numbers[$0] ?? nil }, position: category.position,
                members: counts[category.id] ?? 0, live: category.isLive,
                merged_into: category.mergedInto.flatMap(directory.find)?.slug,
                similar: (similar[category.id] ?? []).map(\.slug))
        }
        for line in lines.sorted(by: { ($0.group ?? 0) < ($1.group ?? 0) }) {
            try run.report(json: line, sentence(line))
        }
        return .ok
    }

    private static func sentence(_ line: Line) -> String {
        var notes = [line.members == 1 ? "1 published member" : "\(line.members) published members"]
        if !line.live { notes.append("not published") }
        if let target = line.merged_into { notes.append("merged into \(target)") }
        if !line.similar.isEmpty { notes.append("similar to \(line.similar.joined(separator: ", "))") }
        return "\(line.id)  \(line.group ?? 0)  \(line.slug)  \(line.title)  (\(notes.joined(separator: "; ")))"
    }
}
