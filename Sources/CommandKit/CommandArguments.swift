// Resolves ids, slugs and secret files that a command line names.
import Domain
import FoundationEssentials
import Platform
import Store

extension CommandRun {
    package func id<Noun>(_ text: String) throws(Failure) -> ID<Noun> {
        guard let id = ID<Noun>(text) else {
            throw .invalid(
                FieldErrors(
                    "id", "format", "\"\(text)\" isn't an id. An id looks like 0197c0de-0000-7000-8000-000000000000."))
        }
        return id
    }

    /// Finds entries by id or by slug.
    package func resolve(_ names: [String], type: String, _ database: Database) async throws -> [ID<Entry>] {
        var found: [ID<Entry>] = []
        for name in names {
            if let id = ID<Entry>(name) {
                found.append(id)
            } else if let id = try await database.entries.find(type: type, slug: name) {
                found.append(id)
            } else {
                throw Failure.missing("\(type) \"\(name)\"")
            }
        }
        return found
    }

    /// Finds an entry by its id, or by `type:slug`.
    package func entry(_ name: String, _ database: Database) async throws -> ID<Entry> {
        if let id = ID<Entry>(name) { return id }
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2, let id = try await database.entries.find(type: parts[0], slug: parts[1]) { return id }
        throw Failure.missing("entry \"\(name)\". Use an id, or a type and slug such as article:some-title")
    }

    /// The public URL for printed links: `public.url`, or the URL of a daemon that runs on this database, because a command
    /// may run without the environment of the daemon. Without either, a hint says that the default may be wrong.
    package func publicURL(_ database: Database) async throws -> String {
        let settings = try settings()
        if settings.origin(of: "public.url") != .fallback { return settings.publicURL }
        if let url = try await DaemonAddress.find(database) { return url }
        Output.note(
            "public.url is not set and no daemon is running on this database, so links start with the default "
                + "\(settings.publicURL). If that is wrong, set VITRINE_PUBLIC_URL as for the daemon.")
        return settings.publicURL
    }

    /// The first line of the file that an option names: secrets are never passed on the command line (S53).
    package func secret(_ option: Command.Option) throws -> String? {
        guard let path = arguments.text(option) else { return nil }
        let bytes = try read(path)
        return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }
}

extension Failure {
    package static func unreadable(_ path: String) -> Failure {
        .missing("file \(path) (or it can't be read)")
    }
}
