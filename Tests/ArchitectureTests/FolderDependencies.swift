// Which folders of a module use each other, read from the names in their files.

/// A file uses another one of its module if its code has the name of a type or a function that no other file of the package
/// declares. Members are not followed.
struct FolderDependencies {
    /// By folder, and by the folder that it uses: what uses what, such as `A.swift uses B of B.swift`.
    let folders: [String: [String: [String]]]

    init(_ files: [SourceFile]) {
        let codes = files.map { (file: $0, code: SourceText($0, .swift).code) }
        var owners: [String: SourceFile] = [:]
        var shared: Set<String> = []
        for (file, code) in codes {
            for name in Self.declared(in: code) where owners.updateValue(file, forKey: name) != nil {
                shared.insert(name)
            }
        }
        var folders: [String: [String: [String]]] = [:]
        for (file, code) in codes {
            for name in Self.words(of: code).subtracting(shared).sorted() {
                guard let owner = owners[name], owner.module == file.module else { continue }
                let (user, used) = (Self.folder(of: file), Self.folder(of: owner))
                if user == used { continue }
                folders[user, default: [:]][used, default: []].append("\(file.name) uses \(name) of \(owner.name)")
            }
        }
        self.folders = folders
    }

    /// Types of a file or directly inside another type, and functions outside of types; not what is private.
    private static func declared(in code: [UInt8]) -> Set<String> {
        let modifiers: Set<String> = ["public", "package", "internal", "open", "final", "indirect", "nonisolated"]
        let types: Set<String> = ["struct", "class", "enum", "actor", "protocol"]
        var names: Set<String> = []
        for line in code.split(separator: UInt8(ascii: "\n")) {
            let depth = line.prefix { $0 == UInt8(ascii: " ") }.count
            guard depth == 0 || depth == 4 else { continue }
            let parts = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
                .drop { modifiers.contains($0) || $0.hasPrefix("@") }
            guard let kind = parts.first, let next = parts.dropFirst().first else { continue }
            guard types.contains(kind) || depth == 0 && ["func", "typealias"].contains(kind) else { continue }
            let name = next.utf8.prefix(while: isPartOfWord)
            if name.count > 2 { names.insert(String(decoding: name, as: UTF8.self)) }
        }
        return names
    }

    private static func words(of code: [UInt8]) -> Set<String> {
        Set(code.split { !isPartOfWord($0) }.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func folder(of file: SourceFile) -> String { String(file.path.dropLast(file.name.count + 1)) }

    /// The folders that use each other in a cycle, without the dependencies in `held`: `user -> used`.
    func cycles(without held: Set<String> = []) -> Set<Set<String>> {
        var used: [String: Set<String>] = [:]
        for (folder, others) in folders {
            used[folder] = Set(others.keys.filter { !held.contains("\(folder) -> \($0)") })
        }
        var reached: [String: Set<String>] = [:]
        for folder in used.keys {
            var found: Set<String> = []
            var pending = [folder]
            while let next = pending.popLast() {
                for other in used[next] ?? [] where found.insert(other).inserted { pending.append(other) }
            }
            reached[folder] = found
        }
        var cycles: Set<Set<String>> = []
        for (folder, found) in reached where found.contains(folder) {
            cycles.insert(found.filter { reached[$0]?.contains(folder) == true })
        }
        return cycles
    }

    /// The dependencies inside a cycle, those of the fewest files first: one of these makes it.
    func dependencies(in cycle: Set<String>, without held: Set<String>) -> [String] {
        let dependencies = cycle.flatMap { user in
            (folders[user] ?? [:]).filter { cycle.contains($0.key) && !held.contains("\(user) -> \($0.key)") }
                .map { (dependency: "\(user) -> \($0.key)", files: $0.value) }
        }
        return dependencies.sorted { ($0.files.count, $0.dependency) < ($1.files.count, $1.dependency) }
            .map { "\($0.dependency): \($0.files.prefix(3).joined(separator: ", "))" }
    }
}
