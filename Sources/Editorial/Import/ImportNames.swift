// The cities and categories that rows name, read once.
import Domain
import Store

struct ImportNames: Sendable {
    private var cities: [String: [EntryName]] = [:]
    private var categories: [String: ID<Entry>] = [:]
    private var wholeCity: ID<Entry>?
    private var usualCategories: [ID<Entry>] = []
    /// Where missing categories are made.
    private(set) var group: ID<Entry>?

    /// What the options name must exist.
    init(_ database: Database, _ shape: ImportShape) async throws {
        let options = shape.options
        if shape.type.field("city") != nil {
            for city in try await database.imports.names(of: .city) {
                // By id too: two cities may have the same name, one of them as its slug.
                let names = Set([city.slug, city.title].map(Self.key) + [city.id.description])
                for name in names { cities[name, default: []].append(city) }
            }
            if let name = options.city {
                wholeCity = try Self.only(cities[Self.key(name)] ?? [], "city", name)
            }
        }
        guard shape.type.field("categories") != nil else { return }
        // A name is stronger than another word for something else.
        let all = try await database.imports.names(of: .category)
        for category in all {
            for word in category.synonyms { categories[Self.key(word)] = category.id }
        }
        for category in all {
            for name in [category.title, category.slug] { categories[Self.key(name)] = category.id }
        }
        usualCategories = try options.categories.map { name in
            guard let id = categories[Self.key(name)] else { throw Failure.missing("category named \"\(name)\"") }
            return id
        }
        if let name = options.makeCategoriesIn {
            let groups = try await database.imports.names(of: .categoryGroup).filter {
                [$0.slug, $0.title].map(Self.key).contains(Self.key(name))
            }
            group = try Self.only(groups, "category group", name)
        }
    }

    /// `fish_and_chips`, `Fish and chips` and `fish-and-chips` are one name.
    private static func key(_ name: String) -> String {
        Slug.make(from: name)
    }

    private static func only(_ found: [EntryName], _ noun: String, _ name: String) throws(Failure) -> ID<Entry> {
        guard let first = found.first else { throw .missing("\(noun) named \"\(name)\"") }
        guard found.count == 1 else {
            let choices = found.prefix(5).map { "\($0.slug) (\($0.id))" }.joined(separator: ", ")
            throw .refused(
                code: "rule", message: "\(found.count) are named \"\(name)\"; give another slug or an id: \(choices).")
        }
        return first.id
    }

    /// The city of all rows, or the one that a row names by its slug or its name.
    func city(_ name: String?) -> Result<ID<Entry>, Failure> {
        if let wholeCity { return .success(wholeCity) }
        guard let name else {
            return .failure(
                .refused(code: "rule", message: "City: the row names none, and none was given for all rows."))
        }
        do {
            return .success(try Self.only(cities[Self.key(name)] ?? [], "city", name))
        } catch {
            return .failure(error)
        }
    }

    /// The categories that the words name, or the usual ones where there are none; and the words that name nothing.
    func categories(_ words: [String]) -> (found: [ID<Entry>], unknown: [String]) {
        var found: [ID<Entry>] = []
        var unknown: [String] = []
        for word in words {
            if let id = categories[Self.key(word)] {
                if !found.contains(id) { found.append(id) }
            } else {
                unknown.append(word)
            }
        }
        return (found.isEmpty ? usualCategories : found, unknown)
    }

    mutating func add(category word: String, _ id: ID<Entry>) {
        categories[Self.key(word)] = id
    }
}
