// Checks and cleans an ordered list of rows.

/// Made for one list; what is wrong with it is in `errors` afterwards, at pointers such as `/fields/screens/2/text`.
struct RowsCheck {
    private let field: Field
    private let pointer: String
    private let label: String
    private let frame: FieldsCheck.PageContext
    private(set) var errors = FieldErrors()
    /// In which row each thing of a catalog stands.
    private var known: [JSONValue: Int] = [:]

    init(_ field: Field, pointer: String, label: String, in frame: FieldsCheck.PageContext) {
        self.field = field
        self.pointer = pointer
        self.label = label
        self.frame = frame
    }

    /// The rows to store; nil when there are none or something is wrong. A row with nothing in it is left out: `null`,
    /// as forms send it, or `{}`. Positions in pointers are those of what was sent.
    mutating func value(of raw: JSONValue) -> JSONValue? {
        guard case .array(let sent) = raw else {
            errors.add(pointer, "type", "\(label): Write a list of rows, each an object.")
            return nil
        }
        // Looking at every row of a list that is much too long would be work without use.
        guard sent.count <= max(field.maxCount * 2, 100) else {
            addCount(sent.count)
            return nil
        }
        var rows: [JSONValue] = []
        for (position, value) in sent.enumerated() {
            switch value {
            case .null: continue
            case .object(let members) where members.isEmpty: continue
            case .object(let members): rows.append(.object(row(members, at: position)))
            default: errors.add("\(pointer)/\(position)", "type", "\(name(of: position)): A row is an object.")
            }
        }
        addCount(rows.count)
        return errors.isEmpty && !rows.isEmpty ? .array(rows) : nil
    }

    /// Where the rows that are kept stand in what was sent.
    static func positions(of raw: JSONValue?) -> [Int] {
        (raw?.arrayValue ?? []).enumerated().filter { $1 != .null && $1 != .object([:]) }.map(\.offset)
    }

    private mutating func row(_ members: [String: JSONValue], at position: Int) -> [String: JSONValue] {
        var check = FieldsCheck(
            field.fields,
            in: FieldsCheck.PageContext(
                pointer: "\(pointer)/\(position)", label: name(of: position) + ", ", purpose: frame.purpose,
                cleaning: frame.cleaning))
        let values = check.values(of: members)
        check.refuseUnknown(in: members)
        errors.add(check.errors)
        for inner in field.fields where inner.type == .catalogItem {
            refuseSecond(values[inner.name], inner, position)
        }
        return values
    }

    /// The same thing of a catalog is in a list once (D9); the database refuses a second one too.
    private mutating func refuseSecond(_ item: JSONValue?, _ inner: Field, _ position: Int) {
        guard let item else { return }
        if let first = known[item] {
            errors.add(
                "\(pointer)/\(position)" + FieldErrors.step(inner.name), "duplicate",
                "\(name(of: position)): this is in the list already, as \(name(of: first)).")
        } else {
            known[item] = position
        }
    }

    /// People count from 1.
    private func name(of position: Int) -> String {
        "\(field.rowLabel) \(position + 1)"
    }

    /// At least `minCount` where there is any row, at most `maxCount`.
    private mutating func addCount(_ count: Int) {
        if count > field.maxCount {
            errors.add(pointer, "too_long", "\(label): \(count) given; at most \(field.maxCount) are allowed.")
        }
        if let least = field.minCount, count > 0, count < least {
            errors.add(pointer, "too_short", "\(label): \(count) given; at least \(least) are needed.")
        }
    }
}
