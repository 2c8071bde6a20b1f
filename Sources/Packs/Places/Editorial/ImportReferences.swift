// Resolves the cities and categories that rows name; loaded once per import.
import Domain
import Localization
import Operations
import Store

struct ImportReferences: Sendable {
    private var cities = NameIndex()
    private var categories = NameIndex()
    private var archived = NameIndex()
    /// For messages.
    private var entries: [ID<Entry>: EntryName] = [:]
    private var cityOfAllRows: ID<Entry>?
    /// Of rows that name no known category.
    private(set) var defaultCategories: [ID<Entry>] = []
    /// The group in which missing categories are created.
    private(set) var group: ID<Entry>?

    /// Throws when an option names something that does not exist.
    init(_ database: Database, _ mapping: ImportMapping) async throws {
        let options = mapping.options
        if mapping.type.field("city") != nil {
            cities = index(try await database.imports.names(of: .city))
            if let name = options.city { cityOfAllRows = try only(cities.find(name), "city", name) }
        }
        guard mapping.type.field("categories") != nil else { return }
        let known = try await database.imports.names(of: .category)
        for category in known { entries[category.id] = category }
        let names = CategoryMerges(known).names(byID: true) { !$0.isArchived }
        categories = names.usable
        archived = names.others
        defaultCategories = try options.categories.map { name in
            if let category = archivedCategory(name) {
                let message = tr("The category \(category) is archived. Choose another category.")
                throw Failure.invalid(FieldErrors("/category", "archived", message))
            }
            return try only(categories.find(name), tr("category", context: "import references"), name)
        }
        if let name = options.createCategoriesIn {
            let groups = index(try await database.imports.names(of: .categoryGroup))
            group = try only(groups.find(name), tr("category group"), name)
        }
    }

    /// By their ids, too.
    private mutating func index(_ names: [EntryName]) -> NameIndex {
        for entry in names { entries[entry.id] = entry }
        return names.reduce(into: NameIndex()) {
            $0.add($1.id, named: $1.title, others: $1.otherNames + [$1.id.description], slug: $1.slug)
        }
    }

    private func only(_ match: NameIndex.Match, _ noun: String, _ name: String) throws(Failure) -> ID<Entry> {
        switch match {
        case .one(let id): return id
        case .several(let ids): throw .refused(code: "rule", message: ambiguous(name, ids))
        case .unknown: throw .missing(tr("\(noun) named \"\(name)\"", context: "import references"))
        }
    }

    private func ambiguous(_ name: String, _ ids: [ID<Entry>]) -> String {
        let choices = ids.prefix(5).map { "\(entries[$0]?.slug ?? "") (\($0))" }.joined(separator: ", ")
        return tr("\"\(name)\" is ambiguous: it matches \(ids.count). Use a unique slug or an id: \(choices).")
    }

    /// The archived category with this name, as messages name it, if no other one has the name.
    private func archivedCategory(_ name: String) -> String? {
        guard categories.find(name) == .unknown else { return nil }
        let id: ID<Entry>? =
            switch archived.find(name) {
            case .unknown: nil
            case .one(let id): id
            case .several(let ids): ids.first
            }
        return id.flatMap { entries[$0] }.map { "\"\($0.title)\" (\($0.id))" }
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
            return .success(try only(cities.find(name), "city", name))
        } catch {
            return .failure(error)
        }
    }

    /// The names in a cell: all of it if a category has this name, such as `Arts, crafts`; otherwise `pizza;italian` are two.
    func categoryNames(in cell: String) -> [String] {
        let name = PlainText.singleLine(cell)
        if name.isEmpty { return [] }
        if categories.find(name) != .unknown || archived.find(name) != .unknown { return [name] }
        guard let separators = [";|", ","].first(where: { $0.contains { name.contains($0) } }) else { return [name] }
        return name.split { separators.contains($0) }.flatMap { categoryNames(in: String($0)) }
    }

    /// What the names of a row mean.
    struct Categories {
        var found: [ID<Entry>] = []
        /// Archived categories, as messages name them.
        var archived: [String] = []
        var unknown: [String] = []
        /// A message for each name of several categories.
        var ambiguous: [String] = []
    }

    /// The categories with these names, in any language, or synonyms.
    func categories(_ names: [String]) -> Categories {
        var result = Categories()
        for name in names {
            switch categories.find(name) {
            case .one(let id): if !result.found.contains(id) { result.found.append(id) }
            case .several(let ids): result.ambiguous.append(ambiguous(name, ids))
            case .unknown:
                if let category = archivedCategory(name) {
                    result.archived.append(category)
                } else {
                    result.unknown.append(name)
                }
            }
        }
        return result
    }

    /// The unknown names, one for each category to create.
    func missing(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return categories(names).unknown.filter { seen.insert(NameIndex.key($0)).inserted }
    }

    mutating func add(category name: String, _ id: ID<Entry>) { categories.add(id, named: name) }
}
