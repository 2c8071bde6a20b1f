// Collects the names that the code declares: types, tables, endpoints, commands and audit actions.
import Domain

enum CodeNames {
    struct Found {
        let name: String
        /// File and line.
        let location: String
    }

    static let migrations = (SourceFile.files(in: "Sources/Store") + SourceFile.files(in: "Sources/Packs")).filter {
        $0.path.hasSuffix(".sql")
    }

    // MARK: Types and tables

    /// Every declared Swift type.
    static let types = Set(
        SourceFile.sources.flatMap { file in
            file.text.matches(of: #/\b(?:struct|enum|actor|class|protocol|typealias) ([A-Z]\w*)/#).map { String($0.1) }
        })

    /// Every table, as `schema.name`.
    static let tables = Set(
        migrations.flatMap { file in
            file.text.lowercased().matches(of: #/create (?:unlogged )?table (?:if not exists )?(\w+\.\w+)/#)
                .map { String($0.1) }
        })

    // MARK: URLs and commands

    /// Every path that is written as a literal in a module: `/queue/{id}/claim`.
    static func paths(in module: String) -> [Found] {
        SourceFile.swift(in: "Sources/\(module)").flatMap { file in
            found(file, file.text.matches(of: #/"(/[a-z0-9.-]*(?:/(?:[a-z0-9_.-]+|\{[a-z_]+\}))*/?)"/#).map { $0.1 })
        }
    }

    /// Every path of the admin.
    static let adminPaths =
        AdminURL.allCases.map { Found(name: $0.rawValue, location: "Sources/Domain/AdminURL.swift") } + packPaths.values

    /// The patterns of these paths by name.
    static let adminPatterns = AdminURL.patterns.merging(packPaths.mapValues(\.name)) { core, _ in core }

    private static let packPaths = SourceFile.swift(in: "Sources/Packs").filter { $0.name.hasSuffix("URL.swift") }
        .reduce(into: [String: Found]()) { paths, file in
            for match in file.text.matches(of: #/\n    case (\w+) = "([^"]+)"/#) {
                paths[String(match.1)] = Found(name: String(match.2), location: file.path)
            }
        }

    /// Every registered command: `queue list`.
    static let commands = ["Sources/vitrine", "Sources/Packs"].flatMap(SourceFile.swift(in:)).flatMap { file in
        let matches = file.text.matches(of: #/\bCommandEntry\(\s*"([a-z-]+)"(?:,\s*"([a-z-]+)")?/#)
        return matches.map { match in
            Found(
                name: [match.1, match.2].compactMap { $0.map(String.init) }.joined(separator: " "),
                location: location(file, match.range.lowerBound))
        }
    }

    // MARK: Audit actions

    /// Every audit action, as `noun.verb`: literals of files that create audit events, and of SQL that inserts them.
    static let auditActions = SourceFile.sources.flatMap(inSwift) + migrations.flatMap(inSQL)

    /// The verdicts and the bulk actions, of which audit actions are composed.
    static let composedVerbs = SourceFile.sources.filter {
        ["Verdict.swift", "BulkActionKind.swift"].contains($0.name)
    }
    .flatMap { file in
        // Cases without values; `requestChanges = "request_changes"` has its own spelling.
        let cases = file.text.matches(of: #/\n    case ([^\n(.:]+)\n/#)
        return cases.flatMap { match in
            match.1.split(separator: ",").map { item in
                let quoted = item.split(separator: "\"")
                let name = quoted.count > 1 ? quoted[1] : item.filter { $0 != " " }[...]
                return Found(name: String(name), location: location(file, match.range.lowerBound))
            }
        }
    }

    private static func inSwift(_ file: SourceFile) -> [Found] {
        var all: [Found] = []
        // Pages have "action:" of forms and never write audit events.
        let isPage = ["Admin", "API"].contains(file.layer)
        if file.text.contains("AuditEvent(") || !isPage && file.text.contains("action: \"") {
            all += found(file, file.text.matches(of: #/"([a-z_]+\.[a-z_]+)"/#).map { $0.1 }).filter {
                !tables.contains($0.name)
            }
        }
        return all + (file.layer == "Store" ? inSQL(file) : [])
    }

    private static func inSQL(_ file: SourceFile) -> [Found] {
        var all: [Found] = []
        for insert in file.text.matches(of: #/insert into ops\.audit_event\b[^;"]*/#) {
            all += insert.output.matches(of: #/'([a-z_]+\.[a-z_]+)'/#).map {
                Found(name: String($0.1), location: location(file, $0.range.lowerBound))
            }
        }
        let compared = file.text.matches(of: #/\baction (?:=|<>|in|not in) \(?((?:'[a-z_]+\.[a-z_]+'(?:, )?)+)/#)
        for match in compared {
            all += match.1.matches(of: #/'([a-z_]+\.[a-z_]+)'/#).map {
                Found(name: String($0.1), location: location(file, $0.range.lowerBound))
            }
        }
        return all
    }

    // MARK: Locations

    private static func found(_ file: SourceFile, _ names: [Substring]) -> [Found] {
        names.map { Found(name: String($0), location: location(file, $0.startIndex)) }
    }

    private static func location(_ file: SourceFile, _ index: String.Index) -> String {
        let line = file.text.utf8[..<index].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        return "\(file.path):\(line)"
    }
}
