// The zones of the dates and times in a submitted form: adds the offset from UTC that each zone has at that time.
import Domain
import HTTP
import Store

/// Beside the input for the local time of a field of content is one for its zone. Content contains the offset, so the form
/// gets it as a second value of the field. The zone remains, to be shown again.
enum FormZones {
    /// The end of the name of an input for a zone; before it is the name of the input for the time.
    static let suffix = ".zone"

    /// An unknown zone becomes the second value itself, so that the check of the field reports it.
    static func resolved(_ form: FormFields, _ database: Database) async throws -> FormFields {
        var offsets: [String: String] = [:]
        var named: [(name: String, time: WallTime)] = []
        let zones = form.fields.filter { $0.name.hasPrefix("field.") && $0.name.hasSuffix(suffix) }
        let values = zones.isEmpty ? [:] : Dictionary(grouping: form.fields, by: \.name)
        for field in zones {
            let name = String(field.name.dropLast(suffix.count))
            let locals = values[name] ?? []
            // No zone has so long a name.
            let zone = field.value.utf8.count > 200 ? "?" : PlainText.singleLine(field.value)
            guard locals.count == 1, let local = locals.first?.value, !PlainText.isBlank(local) else { continue }
            if Timestamp(local) != nil {
                // It was written with its offset.
                offsets[name] = ""
            } else if let offset = DateTimeText.offset(writtenAs: zone) {
                offsets[name] = offset
            } else {
                offsets[name] = zone.isEmpty ? "?" : zone
                // To the second, which is exact enough for an offset.
                if let time = try? WallTime(local: String(local.prefix(19)), zone: zone) { named.append((name, time)) }
            }
        }
        if offsets.isEmpty { return form }
        for (item, minutes) in zip(named, try await database.zones.offsets(of: named.map(\.time))) {
            if let minutes { offsets[item.name] = DateTimeText.offset(minutes: minutes) }
        }
        let fields = form.fields.flatMap { field in
            [field] + (offsets[field.name].map { [FormFields.Field(name: field.name, value: $0)] } ?? [])
        }
        return FormFields(fields, uploads: form.uploads)
    }
}

extension Request {
    /// The request with the offsets of the times in its form.
    func resolvingZones(_ database: Database) async throws -> Request {
        if method != "POST" { return self }
        let resolved = try await FormZones.resolved(form, database)
        return resolved.fields.count == form.fields.count ? self : with(form: resolved)
    }
}
