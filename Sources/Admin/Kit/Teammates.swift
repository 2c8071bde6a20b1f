// The people whom a note can mention.
import Domain
import Store

extension AdminRequest {
    /// The names of those who can see a submission or an entry, without the person who writes.
    func teammates(of subject: NoteSubject) async throws -> [String] {
        let own = session?.account
        var known: Set<String> = []
        return try await database.notes.readers(of: subject).filter { $0.id != own }.map(\.name).filter {
            known.insert($0).inserted
        }
    }
}
