// Resolves the cities and categories that rows name; loaded once per import.
import Domain
import Editorial
import Localization
import Store

struct ImportReferences: Sendable {
    private var cities: [String: [EntryName]] = [:]
    private var categories: [String: ID<Entry>] = [:]
    /// Archived categories that share no name with another one, as messages name them.
    private var archived: [String: String] = [:]
    private var cityOfAllRows: ID<Entry>?
    /// Of rows that name no known category.
    private(set) var defaultCategories: [ID<Entry>] = []
    /// The group in which missing categories are created.
    private(set) var group: ID<Entry>?

    /// Throws when an option names something that does not exist.
    init(_ database: Database, _ mapping: ImportMapping) async throws {
        let options = mapping.options
        if mapping.type.field("city") != nil {
            for city in try await database.imports.names(of: .city) {
                // By id too: the name of one city may be the slug of another.
                let names = Set([city.slug, city.title].map(Self.key) + [city.id.description])
                for name in names { cities[name, default: []].append(city) }
            }
            if let name = options.city {
                cityOfAllRows = try Self.only(cities[Self.key(name)] ?? [], "city", name)
            }
        }
        guard mapping.type.field("categories") != nil else { return }
        // A name wins over a synonym of another category.
        let known = try await database.imports.names(of: .category)
        let all = known.filter { !$0.isArchived }
        for category in all {
            for synonym in category.synonyms { categories[Self.key(synonym)] = category.id }
        }
        for category in all {
            for name in [category.title, category.slug] { categories[Self.key(name)] = category.id }
        }
        for category in known where category.isArchived {
            for name in [category.title, category.slug] + category.synonyms where categories[Self.key(name)] == nil {
                archived[Self.key(name)] = "\"\(category.title)\" (\(category.id))"
            }
        }
        defaultCategories = try options.categories.map { name in
            if let category = archived[Self.key(name)] {
                let message = tr("The category \(category) is archived. Choose another category.")
                throw Failure.invalid(FieldErrors("/category", "archived", message))
            }
            guard let id = categories[Self.key(name)] else { throw Failure.missing(tr("category named \"\(name)\"")) }
            return id
        }
        if let name = options.createCategoriesIn {
            let groups = try await database.imports.names(of: .categoryGroup).filter {
                [$0.slug, $0.title].map(Self.key).contains(Self.key(name))
            }
            group = try Self.only(groups, tr("category group"), name)
        }
    }

    /// `fish_and_chips`, `Fish and chips` and `fish-and-chips` are the same name.
    private static func key(_ name: String) -> String {
        Slug.make(from: name)
    }

    private static func only(_ found: [EntryName], _ noun: String, _ name: String) throws(Failure) -> ID<Entry> {
        guard let first = found.first else {
            throw .missing(tr("\(noun) named \"\(name)\"", context: "import references"))
        }
        guard found.count == 1 else {
            let choices = found.prefix(5).map { "\($0.slug) (\($0.id))" }.joined(separator: ", ")
            throw .refused(
                code: "rule",
                message: tr(
                    "\"\(name)\" is ambiguous: it matches \(found.count). Use a unique slug or an id: \(choices)."))
        }
        return first.id
    }

    /// The city of all rows, or the one that a row names by slug or name.
    func city(_ name: String?) -> Result<ID<Entry>, Failure> {
        if let cityOfAllRows { return .success(cityOfAllRows) }
        guard let name else {
            return .failure(
                .refused(
                    code: "rule", message: tr("City: the row has none. Add one to the row or set one for all rows.")))
        }
        do {
            return .success(try Self.only(cities[Self.key(name)] ?? [], "city", name))
        } catch {
            return .failure(error)
        }
    }

    /// What the names of a row mean.
    struct Categories {
        var found: [ID<Entry>] = []
        /// Archived categories, as messages name them.
        var archived: [String] = []
        var unknown: [String] = []
    }

    /// The categories with these names or synonyms.
    func categories(_ names: [String]) -> Categories {
        var result = Categories()
        for name in names {
            if let id = categories[Self.key(name)] {
                if !result.found.contains(id) { result.found.append(id) }
            } else if let category = archived[Self.key(name)] {
                result.archived.append(category)
            } else {
                result.unknown.append(name)
            }
        }
        return result
    }

    /// The unknown names, one for each category to create.
    func missing(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return categories(names).unknown.filter { seen.insert(Self.key($0)).inserted }
    }

    mutating func add(category name: String, _ id: ID<Entry>) {
        categories[Self.key(name)] = id
    }
}
