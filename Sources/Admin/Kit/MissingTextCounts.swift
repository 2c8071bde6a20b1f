// The texts that readers miss in each language, counted once for each publication: every page shows the number.
import Domain
import Store

actor MissingTextCounts {
    private var counted: (publication: TaggedNumber, languages: [MissingTexts])?

    /// `publication`: the newest one that the request has seen. What is counted may be newer, never older.
    func languages(at publication: TaggedNumber, _ database: Database) async throws -> [MissingTexts] {
        if let counted, counted.publication == publication { return counted.languages }
        let languages = try await database.missingTexts.languages()
        counted = (publication: publication, languages: languages)
        return languages
    }
}
