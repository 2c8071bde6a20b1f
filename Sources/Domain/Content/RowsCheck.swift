// Validates and cleans an ordered list of rows.
import Localization

/// Checks one list; `errors` and `warnings` contain what was found afterwards, at pointers such as
/// `/fields/screens/2/text`.
struct RowsCheck {
    private let field: Field
    private let pointer: String
    private let label: String
    private let context: FieldsCheck.Context
    private(set) var errors = FieldErrors()
    private(set) var warnings = FieldErrors()
    /// The row of each catalog item.
    private var rowOfItem: [JSONValue: Int] = [:]

    init(_ field: Field, pointer: String, label: String, in context: FieldsCheck.Context) {
        self.field = field
        self.pointer = pointer
        self.label = label
        self.context = context
    }

    /// The rows to store; nil if there are none or any is invalid. Empty rows are left out: `null`, as forms send them,
    /// or
    /// `{}`. Positions in pointers are those of the input.
    mutating func value(of raw: JSONValue) -> JSONValue? {
        guard case .array(let sent) = raw else {
            errors.add(pointer, "type", tr("\(label): Enter a list of rows, each an object."))
            return nil
        }
        // Does not check every row of a list that is far too long.
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
            default: errors.add("\(pointer)/\(position)", "type", tr("\(name(of: position)): Enter an object."))
            }
        }
        addCount(rows.count)
        return errors.isEmpty && !rows.isEmpty ? .array(rows) : nil
    }

    /// The positions in the input of the rows that are stored.
    static func positions(of raw: JSONValue?) -> [Int] {
        (raw?.arrayValue ?? []).enumerated().filter { $1 != .null && $1 != .object([:]) }.map(\.offset)
    }

    /// An edit replaces all rows, so each is complete.
    private mutating func row(_ members: [String: JSONValue], at position: Int) -> [String: JSONValue] {
        let purpose = context.purpose == .edit ? .revision : context.purpose
        var check = FieldsCheck(
            field.fields,
            in: FieldsCheck.Context(
                pointer: "\(pointer)/\(position)", label: name(of: position) + ", ", purpose: purpose,
                cleaning: context.cleaning, base: context.base))
        let values = check.values(of: members)
        check.refuseUnknown(in: members)
        errors.add(check.errors)
        warnings.add(check.warnings)
        for inner in field.fields where inner.type == .catalogItem {
            refuseDuplicate(values[inner.name], inner, position)
        }
        return values
    }

    /// A catalog item can be in a list only once (D9); the database enforces it too.
    private mutating func refuseDuplicate(_ item: JSONValue?, _ inner: Field, _ position: Int) {
        guard let item else { return }
        if let first = rowOfItem[item] {
            errors.add(
                "\(pointer)/\(position)" + FieldErrors.step(inner.name), "duplicate",
                tr("\(name(of: position)): already in the list, as \(name(of: first))."))
        } else {
            rowOfItem[item] = position
        }
    }

    /// The name in messages, numbered from 1.
    private func name(of position: Int) -> String {
        "\(field.rowLabel) \(position + 1)"
    }

    /// At minimum `minCount` if there is any row, at most `maxCount`.
    private mutating func addCount(_ count: Int) {
        if count > field.maxCount {
            errors.add(pointer, "too_long", tr("\(label): \(count) given; at most \(field.maxCount) are allowed."))
        }
        if let minimum = field.minCount, count > 0, count < minimum {
            errors.add(pointer, "too_short", tr("\(label): \(count) given; at least \(minimum) are required."))
        }
    }
}
