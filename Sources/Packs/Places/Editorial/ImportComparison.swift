// Compares the rows of an import with the entries of earlier ones; what a row changes is checked as an edit.
import Domain
import Localization
import Store

/// A row compared with the entry of an earlier import.
struct ImportComparison: Sendable {
    /// The next version of an entry, or why there is none.
    struct Version: Sendable {
        /// Nil if the row has an error or changes nothing.
        var content: Content?
        var texts = DerivedTexts()
        var problem: String?
    }

    let row: ImportEntries.Row
    let known: ImportedEntry?
    let version: Version
    let line: ImportLine

    init(_ row: ImportEntries.Row, _ known: ImportedEntry?, _ version: Version, _ type: ContentType) {
        (self.row, self.known, self.version) = (row, known, version)
        func line(_ state: ImportLine.State, fields: [String] = [], _ message: String? = nil) -> ImportLine {
            let title = row.title.isEmpty ? known?.content.title(in: type) ?? "" : row.title
            return ImportLine(location: row.location, title: title, state: state, fields: fields, message: message)
        }
        if let problem = version.problem {
            self.line = line(.error, problem)
        } else if let known {
            let changes =
                version.content.map { ContentDiff.between(old: known.content, new: $0, type: type).map(\.label) } ?? []
            let note =
                known.wasLive && !known.isLive ? tr("The entry was unpublished: the new version stays a draft.") : nil
            self.line = changes.isEmpty ? line(.unchanged) : line(.changed, fields: changes, note)
        } else {
            self.line = line(.new)
        }
    }
}

extension ImportEntries {
    /// Compares rows with the entries of earlier imports, by their ids. `media` is of the transaction that writes them.
    func compare(
        _ rows: [Row], _ found: [String: ImportedEntry], _ mapping: ImportMapping, _ media: MediaStore
    ) async throws -> [ImportComparison] {
        let known = rows.map { row in row.candidate.flatMap { found[$0.externalID] } }
        var versions: [ImportComparison.Version] = []
        for (row, known) in zip(rows, known) { versions.append(try await version(of: row, on: known, mapping)) }
        versions = try await completed(versions, of: mapping.type, media)
        return rows.indices.map { ImportComparison(rows[$0], known[$0], versions[$0], mapping.type) }
    }

    private func version(
        of row: Row, on known: ImportedEntry?, _ mapping: ImportMapping
    ) async throws -> ImportComparison.Version {
        guard let candidate = row.candidate else { return .init(problem: row.problem ?? "") }
        guard let known else { return .init(content: candidate.content, texts: candidate.checked.texts) }
        if let damage = known.stored.damage { return .init(problem: damage) }
        // Fields and other attributes that the file lacks keep their values; so does an existing slug.
        var imported = candidate.content.fields.filter { !candidate.defaulted.contains($0.key) }
        if let slug = mapping.type.slugField { imported[slug] = nil }
        let stored = known.content.fields
        if imported["title"] == nil, let names = imported["names"]?.stringValue {
            imported["names"] = ImportMapping.names(names, without: known.content.title(in: mapping.type))
                .map(JSONValue.string)
        }
        if let attributes = stored["extra"]?.objectValue, let newer = imported["extra"]?.objectValue {
            imported["extra"] = .object(attributes.merging(newer) { _, new in new })
        }
        let merged = stored.merging(imported) { _, new in new }
        // A row that changes nothing writes no version, whatever its type requires by now.
        if merged == stored { return .init() }
        do {
            let checked = try await rules.checked(merged, as: mapping.type, for: .revision, keeping: stored)
            return .init(content: checked.content, texts: checked.texts)
        } catch Failure.invalid(let errors) {
            return .init(problem: errors.items.map(\.message).joined(separator: " "))
        }
    }

    /// The versions with their images as they are stored. An image that the library doesn't have is an error of its row.
    private func completed(
        _ versions: [ImportComparison.Version], of type: ContentType, _ media: MediaStore
    ) async throws -> [ImportComparison.Version] {
        do {
            let contents = versions.map { $0.content ?? Content(fields: [:]) }
            return zip(versions, try await media.completing(contents, of: type)).map { version, content in
                var version = version
                if version.content != nil { version.content = content }
                return version
            }
        } catch Failure.invalid(let errors) {
            if versions.count == 1 { return [.init(problem: errors.items.map(\.message).joined(separator: " "))] }
            let half = versions.count / 2
            let first = try await completed(Array(versions[..<half]), of: type, media)
            return first + (try await completed(Array(versions[half...]), of: type, media))
        }
    }
}
