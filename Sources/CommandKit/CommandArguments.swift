// Resolves ids, slugs and secret files that a command line names.
import Domain
import FoundationEssentials
import Glibc
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
    /// Says why a file, or what was named as one, can't be read.
    package static func unreadable(_ path: String) -> Failure {
        var info = stat()
        guard stat(path, &info) == 0 else {
            let isClosed = errno == EACCES
            return isClosed ? .refused(code: "unreadable", message: forbidden(path)) : .missing("file \(path)")
        }
        if Int32(info.st_mode) & Int32(S_IFMT) == Int32(S_IFDIR) {
            return .refused(code: "folder", message: "\(path) is a folder. Name a file.")
        }
        let isAllowed = access(path, R_OK) == 0
        return .refused(
            code: "unreadable",
            message: isAllowed ? "\(path) can't be read. Check the disk that it is on." : forbidden(path))
    }

    private static func forbidden(_ path: String) -> String {
        "This user may not read \(path). Check its owner and permissions."
    }
}
