// Validates and cleans the value of one field.
import Localization

/// Checks one value; `errors` and `warnings` contain what was found afterwards.
struct FieldCheck {
    let field: Field
    /// The pointer to the value in the input.
    let pointer: String
    /// The label in messages.
    let label: String
    /// The context of the check.
    let context: FieldsCheck.Context
    private(set) var errors = FieldErrors()
    /// What was removed from the value.
    private(set) var warnings = FieldErrors()

    init(_ field: Field, in context: FieldsCheck.Context) {
        self.field = field
        self.context = context
        pointer = context.pointer + FieldErrors.step(field.name)
        label = context.label + field.label
    }

    /// The value to store; nil if it is empty or invalid.
    mutating func value(of raw: JSONValue) -> JSONValue? {
        if case .null = raw { return nil }
        return switch field.type {
        case .text, .longText, .richText, .markdown: text(raw)
        case .key: key(raw)
        case .locale: locale(raw)
        case .integer: integer(raw)
        case .number: number(raw)
        case .boolean: boolean(raw)
        case .datetime: datetime(raw)
        case .duration: duration(raw)
        case .url: url(raw)
        case .point: point(raw)
        case .choice: choice(raw)
        case .reference: reference(raw)
        case .references: references(raw)
        case .json: json(raw)
        case .path: path(raw)
        case .image: image(raw)
        case .file: file(raw)
        case .catalogItem: catalogItem(raw)
        case .rows: rows(raw)
        }
    }

    // MARK: Texts

    private mutating func text(_ raw: JSONValue) -> JSONValue? {
        // Rich text may be given as CommonMark; what is stored is the HTML that it renders to.
        let markdown = field.type == .richText ? raw[Field.markdownKey] : nil
        guard let written = string(markdown ?? raw, tr("Enter text.")) else { return nil }
        guard !PlainText.isBlank(written) else { return nil }
        guard let cleaned = field.name == context.slugField ? slug(written) : cleaned(written, isHTML: markdown == nil)
        else { return nil }
        guard field.type == .richText || field.type == .markdown || !PlainText.isBlank(cleaned) else { return nil }
        checkLength(cleaned)
        return errors.isEmpty ? .string(cleaned) : nil
    }

    private mutating func slug(_ written: String) -> String? {
        do {
            return try Slug.check(written, pointer: pointer)
        } catch {
            if case .invalid(let items) = error { errors.add(items) }
            return nil
        }
    }

    /// `isHTML` is false for rich text that is given as Markdown.
    private mutating func cleaned(_ written: String, isHTML: Bool) -> String? {
        if PlainText.containsControls(written) {
            warnings.add(pointer, "control_characters", tr("\(label): Invisible control characters were removed."))
        }
        if field.type == .text {
            if field.name == context.titleField, PlainText.containsBidiControls(written) {
                return refuse("control_characters", tr("Remove the characters that change the writing direction."))
            }
            return PlainText.singleLine(written)
        }
        let lines = PlainText.lines(written)
        guard field.type == .richText || field.type == .markdown else { return lines }
        do {
            let cleaned =
                try field.type == .richText && isHTML
                ? context.cleaning.richText(lines, context.base) : context.cleaning.markdown(lines)
            if let removed = cleaned.removed { warnings.add(pointer, "removed", "\(label): \(removed)") }
            if cleaned.isEmpty { return nil }
            // Markdown is stored as written, but for HTML tags.
            return field.type == .richText ? PlainText.lines(cleaned.html) : cleaned.source ?? lines
        } catch {
            return refuse("format", tr("\(error.reason) Simplify it."))
        }
    }

    private mutating func checkLength(_ text: String) {
        if PlainText.isLonger(text, than: field.maxLength) {
            add("too_long", PlainText.tooLong(text, limit: field.maxLength))
        } else if text.utf8.count > field.maxBytes {
            add("too_long", tr("\(text.utf8.count) bytes; at most \(field.maxBytes) are allowed."))
        }
        if let minimum = field.minimum, text.count < Int(minimum) {
            add("too_short", tr("\(text.count) characters; at least \(Int(minimum)) are required."))
        }
    }

    private mutating func key(_ raw: JSONValue) -> JSONValue? {
        guard let written = filled(raw, tr("Enter a key.")) else { return nil }
        guard ContentKey.isKey(written) else { return refuse("format", ContentKey.formatMessage) }
        return .string(written)
    }

    private mutating func locale(_ raw: JSONValue) -> JSONValue? {
        guard let written = filled(raw, tr("Enter a language tag.")) else { return nil }
        guard let tag = LanguageTag(written) else { return refuse("format", LanguageTag.formatMessage) }
        return .string(tag.text)
    }

    // MARK: Numbers and times

    private mutating func integer(_ raw: JSONValue) -> JSONValue? {
        guard case .int(let number) = raw else { return refuse("type", tr("Enter a whole number.")) }
        return isWithinLimits(Double(number)) ? raw : nil
    }

    private mutating func number(_ raw: JSONValue) -> JSONValue? {
        switch raw {
        case .int(let number): return isWithinLimits(Double(number)) ? raw : nil
        case .double(let number) where number.isFinite: return isWithinLimits(number) ? .number(number) : nil
        default: return refuse("type", tr("Enter a number."))
        }
    }

    private mutating func isWithinLimits(_ number: Double) -> Bool {
        if let minimum = field.minimum, number < minimum {
            add("too_small", tr("Enter \(JSONValue.number(minimum).canonicalText) or more."))
        }
        if let maximum = field.maximum, number > maximum {
            add("too_large", tr("Enter \(JSONValue.number(maximum).canonicalText) or less."))
        }
        return errors.isEmpty
    }

    private mutating func boolean(_ raw: JSONValue) -> JSONValue? {
        guard case .bool = raw else { return refuse("type", tr("Choose yes or no (true or false).")) }
        return raw
    }

    private mutating func datetime(_ raw: JSONValue) -> JSONValue? {
        let example = tr("Enter a date, time and offset such as 2026-11-20T18:00:00+01:00 or 2026-11-20T17:00:00Z.")
        guard let written = filled(raw, example) else { return nil }
        guard let timestamp = Timestamp(written) else {
            let isZone = DateTimeText.hasUnknownZone(written)
            return refuse("format", isZone ? tr("Enter a time zone such as Europe/London.") : example)
        }
        return .string(timestamp.text)
    }

    private mutating func duration(_ raw: JSONValue) -> JSONValue? {
        let example = tr("Enter seconds, or hours, minutes and seconds such as 1:02:03.")
        let time: PlayingTime?
        switch raw {
        case .int(let seconds): time = PlayingTime(seconds: Double(seconds))
        case .double(let seconds): time = PlayingTime(seconds: seconds)
        default:
            guard let written = filled(raw, example) else { return nil }
            time = PlayingTime(written)
        }
        guard let time else { return refuse("format", example) }
        return isWithinLimits(time.seconds) ? .number(time.seconds) : nil
    }

    // MARK: Choices and references

    private mutating func choice(_ raw: JSONValue) -> JSONValue? {
        guard let written = filled(raw, tr("Choose one of the options.")) else { return nil }
        guard field.choices.contains(where: { $0.value == written }) else {
            let values = field.choices.map(\.value).joined(separator: ", ")
            return refuse("choice", tr("Choose one of: \(values)."))
        }
        return .string(written)
    }

    private mutating func reference(_ raw: JSONValue) -> JSONValue? {
        guard let written = filled(raw, tr("Enter an entry ID.")) else { return nil }
        guard let id = ID<Entry>(written) else { return refuse("reference", tr("This is not an entry ID.")) }
        return .string(id.description)
    }

    /// Keeps the first of duplicate entries.
    private mutating func references(_ raw: JSONValue) -> JSONValue? {
        guard case .array(let values) = raw else { return refuse("type", tr("Enter a list of entry IDs.")) }
        // Does not parse every ID of a list that is far too long.
        guard values.count <= max(field.maxCount * 2, 100) else { return tooMany(values.count) }
        var seen: Set<ID<Entry>> = []
        var ids: [JSONValue] = []
        for (position, value) in values.enumerated() {
            guard let id = value.stringValue.flatMap(ID<Entry>.init) else {
                add("reference", tr("This is not an entry ID."), below: "/\(position)")
                continue
            }
            if seen.insert(id).inserted { ids.append(.string(id.description)) }
        }
        if ids.count > field.maxCount { return tooMany(ids.count) }
        if let minimum = field.minimum, !ids.isEmpty, ids.count < Int(minimum) {
            add("too_short", tr("\(ids.count) chosen; at least \(Int(minimum)) are required."))
        }
        return errors.isEmpty && !ids.isEmpty ? .array(ids) : nil
    }

    private mutating func tooMany(_ count: Int) -> JSONValue? {
        refuse("too_long", tr("\(count) chosen; at most \(field.maxCount) are allowed."))
    }

    // MARK: Rows

    private mutating func rows(_ raw: JSONValue) -> JSONValue? {
        var check = RowsCheck(field, pointer: pointer, label: label, in: context)
        let rows = check.value(of: raw)
        errors.add(check.errors)
        warnings.add(check.warnings)
        return rows
    }

    /// The database checks whether the item exists.

    // MARK: URLs, points, objects

    private mutating func url(_ raw: JSONValue) -> JSONValue? {
        guard let written = string(raw, tr("Enter a URL.")), !PlainText.isBlank(written) else { return nil }
        return webURL(written, httpsOnly: field.httpsOnly)
    }

    mutating func webURL(_ written: String, httpsOnly: Bool, below: String = "") -> JSONValue? {
        do {
            return .string(try WebURL(written, httpsOnly: httpsOnly).text)
        } catch {
            let (code, message) = error.described(httpsOnly: httpsOnly)
            return refuse(code, message, below: below)
        }
    }

    private mutating func point(_ raw: JSONValue) -> JSONValue? {
        guard let members = object(raw, knowing: ["lat", "lon"], tr("Enter latitude and longitude in degrees.")) else {
            return nil
        }
        let lat = degrees(members["lat"], limit: 90, below: "/lat")
        let lon = degrees(members["lon"], limit: 180, below: "/lon")
        guard let lat, let lon, errors.isEmpty else { return nil }
        return .object(["lat": lat, "lon": lon])
    }

    private mutating func degrees(_ raw: JSONValue?, limit: Double, below: String) -> JSONValue? {
        let degrees: Double
        switch raw {
        case .int(let number): degrees = Double(number)
        case .double(let number) where number.isFinite: degrees = number
        case .none, .null: return refuse("required", tr("This field is required."), below: below)
        default: return refuse("type", tr("Enter degrees as a number."), below: below)
        }
        if degrees < -limit { return refuse("too_small", tr("Enter -\(Int(limit)) or more."), below: below) }
        if degrees > limit { return refuse("too_large", tr("Enter \(Int(limit)) or less."), below: below) }
        return .number(degrees)
    }

    private mutating func json(_ raw: JSONValue) -> JSONValue? {
        guard case .object(let members) = raw else { return refuse("type", tr("Enter each name once, with a value.")) }
        guard !members.isEmpty else { return nil }
        let size = raw.canonicalText.utf8.count
        if size > field.maxBytes {
            return refuse("too_large", tr("\(size) bytes; at most \(field.maxBytes) are allowed."))
        }
        if raw.containsNUL { return refuse("control_characters", tr("NUL characters are not allowed.")) }
        return raw
    }

    mutating func line(_ raw: JSONValue?, maxLength: Int, below: String) -> JSONValue? {
        guard let raw, raw != .null else { return nil }
        guard let written = string(raw, tr("Enter text."), below: below) else { return nil }
        let text = PlainText.singleLine(written)
        if PlainText.isLonger(text, than: maxLength) || text.utf8.count > maxLength * 16 {
            return refuse("too_long", tr("At most \(maxLength) characters are allowed."), below: below)
        }
        return text.isEmpty ? nil : .string(text)
    }

    mutating func count(_ raw: JSONValue?, _ range: ClosedRange<Int64>, below: String) -> JSONValue? {
        guard let raw, raw != .null else { return nil }
        guard case .int(let number) = raw else { return refuse("type", tr("Enter a whole number."), below: below) }
        if number < range.lowerBound {
            return refuse("too_small", tr("Enter \(range.lowerBound) or more."), below: below)
        }
        if number > range.upperBound {
            return refuse("too_large", tr("Enter \(range.upperBound) or less."), below: below)
        }
        return raw
    }

    /// Rounded for storage; see `RoutePath` for the limits.
    private mutating func path(_ raw: JSONValue) -> JSONValue? {
        if raw.stringValue.map(PlainText.isBlank) == true { return nil }
        do {
            return try RoutePath(reading: raw.stringValue.flatMap { RoutePath.points(fromForm: $0) } ?? raw).json
        } catch {
            return refuse("path", error.message)
        }
    }

    // MARK: Shared

    /// A string without NUL, which PostgreSQL text cannot store.
    private mutating func string(_ raw: JSONValue, _ expected: String, below: String = "") -> String? {
        guard let written = raw.stringValue else { return refuse("type", expected, below: below) }
        guard !PlainText.containsNUL(written) else {
            return refuse("control_characters", tr("NUL characters are not allowed."), below: below)
        }
        return written
    }

    /// A trimmed string; nil without a message if it is blank.
    mutating func filled(_ raw: JSONValue, _ expected: String) -> String? {
        guard let written = string(raw, expected) else { return nil }
        return PlainText.isBlank(written) ? nil : PlainText.singleLine(written)
    }

    mutating func object(
        _ raw: JSONValue, knowing known: [String], _ expected: String
    ) -> [String: JSONValue]? {
        guard case .object(let members) = raw else { return refuse("type", expected) }
        guard !members.isEmpty else { return nil }
        for name in Suggestion.unknown(members.keys, besides: known) {
            let message = Suggestion.sentence(tr("Unknown member name."), for: name, among: known)
            add("unknown_field", message, below: FieldErrors.step(name))
        }
        return members
    }

    /// Adds a message and returns nil, so that a check can return it.
    mutating func refuse<Value>(_ code: String, _ message: String, below: String = "") -> Value? {
        add(code, message, below: below)
        return nil
    }

    mutating func add(_ code: String, _ message: String, below: String = "") {
        errors.add(pointer + below, code, "\(label): \(message)")
    }
}
