// What the forms of the team show in addition to those of contributors.
import Domain
import Store

extension FieldForm {
    /// Adds pickers, the person's time zone, names of values, the preview, links to entries, maps, and the slug. `slug` is
    /// that of an entry that exists; `sources` is the URL of the search in the sources of catalogs.
    func forStaff(
        _ type: ContentType, _ request: AdminRequest, slug: String? = nil, sources: String = "#catalog-search"
    ) async throws -> FieldForm {
        var form = try await EntryPicker.load(
            CatalogItemValue.loadTitles(self, request, sources: sources), request)
        try await form.show(request.zone, request.database)
        try await form.addNames(type, request.database)
        try await form.addSlug(type, current: slug, request.database)
        form.preview = AdminURL.entryPreview(query: ["type": type.name])
        form.map = request.context.maps
        if request.context.itemURL != nil {
            let items = request.context.rules.types.all.filter { $0.kind == .item }.map(\.name)
            form.links = AdminURL.entryChoices(query: ["types": items.joined(separator: ",")])
        }
        return form
    }

    // MARK: Time zone

    /// A time that is not entered yet gets the zone. One with an offset gets it if the zone has that offset at that time:
    /// the form then means the same instant, and saves the same text.
    private mutating func show(_ zone: String, _ database: Database) async throws {
        if zone == ZoneName.standard { return }
        var locals: Set<String> = []
        forEach { control in
            if let local = Self.localTime(of: control), !local.isEmpty { locals.insert(local) }
        }
        let times = locals.compactMap { local in
            (try? WallTime(local: String(local.prefix(19)), zone: zone)).map { (local: local, time: $0) }
        }
        var offsets: [String: String] = [:]
        for (item, minutes) in zip(times, try await database.zones.offsets(of: times.map(\.time))) {
            if let minutes { offsets[item.local] = DateTimeText.offset(minutes: minutes) }
        }
        update { control in
            guard let local = Self.localTime(of: control), let written = control.parts?[1].value else { return }
            let isInZone =
                local.isEmpty
                ? written == ZoneName.standard
                : offsets[local] != nil && offsets[local] == DateTimeText.offset(writtenAs: written)
            if isInZone { control.parts?[1].value = zone }
        }
    }

    /// Nil for a control of anything but a time.
    private static func localTime(of control: FieldControl) -> String? {
        guard let parts = control.parts, parts.count == 2, parts[1].isZone else { return nil }
        return parts[0].value
    }

    // MARK: Names and values

    private mutating func addNames(_ type: ContentType, _ database: Database) async throws {
        let fields = controls.filter { $0.pairs != nil }.map(\.field)
        if fields.isEmpty { return }
        let names = try await database.entries.usedNames(of: type.name, in: fields)
        for index in controls.indices {
            let used = names[controls[index].field] ?? []
            controls[index].pairs?.suggest(used)
        }
    }

    // MARK: Slug

    /// An entry that exists keeps its slug while the field is empty.
    private mutating func addSlug(_ type: ContentType, current: String?, _ database: Database) async throws {
        guard let field = type.slugField, let position = controls.firstIndex(where: { $0.field == field }) else {
            return
        }
        let isEmpty = PlainText.isBlank(controls[position].textInput?.value ?? "")
        if let current {
            controls[position].slug = SlugHint(slug: isEmpty ? current : "")
            return
        }
        let title = controls.first { $0.field == type.titleField }
        let text = title?.textInput?.value ?? title?.textArea?.value ?? ""
        let slug = isEmpty ? try await SlugHint.slug(for: text, type, database) : nil
        controls[position].slug = SlugHint(
            slug: slug ?? "", title: title?.name, url: AdminURL.entryPreview(query: ["type": type.name]))
    }
}
