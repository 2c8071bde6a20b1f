// Converts an Encodable view model to template values, including properties that are nil.

import FoundationEssentials

extension TemplateValue {
    /// Structs become objects, nil becomes `.null`, URLs their text, UUIDs their lowercase text, and what is
    /// `TemplateConvertible` its model.
    /// Rethrows errors of the model's `encode(to:)`.
    package init(encoding model: some Encodable) throws {
        self = try TemplateSlot(model, path: []).value
    }
}

/// A slot of the value under construction. Containers are classes, since Encodable fills them after returning them.
private enum TemplateSlot {
    case value(TemplateValue)
    case object(TemplateFields)
    case list(TemplateItems)
    case encoder(TemplateEncoder)

    init<Model: Encodable>(_ model: Model, path: [any CodingKey]) throws {
        switch model {
        case let value as TemplateValue where Model.self == TemplateValue.self: self = .value(value)
        case let html as SafeHTML where Model.self == SafeHTML.self: self = .value(.html(html))
        case let url as URL where Model.self == URL.self: self = .value(.string(url.absoluteString))
        case let id as UUID where Model.self == UUID.self: self = .value(.string(id.uuidString.lowercased()))
        case let value as any TemplateConvertible: self = try TemplateSlot(value.templateModel, path: path)
        default:
            let encoder = TemplateEncoder(path: path)
            try model.encode(to: encoder)
            self = encoder.slot
        }
    }

    var value: TemplateValue {
        switch self {
        case .value(let value): value
        case .object(let fields): .object(fields.slots.mapValues(\.value))
        case .list(let items): .array(items.slots.map(\.value))
        case .encoder(let encoder): encoder.slot.value
        }
    }
}

extension TemplateValue: Encodable {
    /// Lets a view model contain template values; only the encoder in this file preserves them.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .html(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let fields): try container.encode(fields)
        }
    }
}

private final class TemplateFields {
    var slots: [String: TemplateSlot] = [:]
}

private final class TemplateItems {
    var slots: [TemplateSlot] = []
}

private final class TemplateEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    /// A model that encodes nothing has no fields.
    var slot = TemplateSlot.value(.object([:]))

    init(path: [any CodingKey]) {
        codingPath = path
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A superclass and its subclass may both request the container.
        if case .object(let fields) = slot {
            return KeyedEncodingContainer(TemplateKeyedContainer(fields: fields, codingPath: codingPath))
        }
        let fields = TemplateFields()
        slot = .object(fields)
        return KeyedEncodingContainer(TemplateKeyedContainer(fields: fields, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let items = TemplateItems()
        slot = .list(items)
        return TemplateUnkeyedContainer(items: items, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        TemplateSingleContainer(encoder: self)
    }
}

private struct TemplateKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let fields: TemplateFields
    let codingPath: [any CodingKey]

    private func set(_ value: TemplateValue?, _ key: Key) {
        fields.slots[key.stringValue] = .value(value ?? .null)
    }

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) { set(.double(value), key) }
    func encode(_ value: Float, forKey key: Key) { set(.double(Double(value)), key) }
    func encode(_ value: Int, forKey key: Key) { set(.int(value), key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        fields.slots[key.stringValue] = try TemplateSlot(value, path: codingPath + [key])
    }

    // The default implementations omit nil, which a template could not distinguish from a misspelled name.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { set(value.map { .bool($0) }, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { set(value.map { .string($0) }, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { set(value.map { .double($0) }, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { set(value.map { .double(Double($0)) }, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { set(value.map { .int($0) }, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeInteger(value, key) }
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { set(.null, key) }
    }

    func encode(_ value: Int8, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try encodeInteger(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try encodeInteger(value, key) }

    private func encodeInteger(_ value: (some BinaryInteger)?, _ key: Key) throws {
        set(value.map { TemplateValue(integer: $0) }, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = TemplateFields()
        fields.slots[key.stringValue] = .object(nested)
        return KeyedEncodingContainer(TemplateKeyedContainer<NestedKey>(fields: nested, codingPath: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = TemplateItems()
        fields.slots[key.stringValue] = .list(nested)
        return TemplateUnkeyedContainer(items: nested, codingPath: codingPath + [key])
    }

    func superEncoder() -> any Encoder { nestedEncoder(named: "super", path: codingPath) }
    func superEncoder(forKey key: Key) -> any Encoder {
        nestedEncoder(named: key.stringValue, path: codingPath + [key])
    }

    private func nestedEncoder(named name: String, path: [any CodingKey]) -> any Encoder {
        let encoder = TemplateEncoder(path: path)
        fields.slots[name] = .encoder(encoder)
        return encoder
    }
}

private struct TemplateUnkeyedContainer: UnkeyedEncodingContainer {
    let items: TemplateItems
    let codingPath: [any CodingKey]
    var count: Int { items.slots.count }

    func encodeNil() { items.slots.append(.value(.null)) }
    func encode<T: Encodable>(_ value: T) throws {
        items.slots.append(try TemplateSlot(value, path: codingPath))
    }

    func nestedContainer<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
        let nested = TemplateFields()
        items.slots.append(.object(nested))
        return KeyedEncodingContainer(TemplateKeyedContainer<Key>(fields: nested, codingPath: codingPath))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let nested = TemplateItems()
        items.slots.append(.list(nested))
        return TemplateUnkeyedContainer(items: nested, codingPath: codingPath)
    }

    func superEncoder() -> any Encoder {
        let encoder = TemplateEncoder(path: codingPath)
        items.slots.append(.encoder(encoder))
        return encoder
    }
}

private struct TemplateSingleContainer: SingleValueEncodingContainer {
    let encoder: TemplateEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func set(_ value: TemplateValue) { encoder.slot = .value(value) }

    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.bool(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) { set(.double(value)) }
    func encode(_ value: Float) { set(.double(Double(value))) }
    func encode(_ value: Int) { set(.int(value)) }
    func encode(_ value: Int8) { set(TemplateValue(integer: value)) }
    func encode(_ value: Int16) { set(TemplateValue(integer: value)) }
    func encode(_ value: Int32) { set(TemplateValue(integer: value)) }
    func encode(_ value: Int64) { set(TemplateValue(integer: value)) }
    func encode(_ value: UInt) { set(TemplateValue(integer: value)) }
    func encode(_ value: UInt8) { set(TemplateValue(integer: value)) }
    func encode(_ value: UInt16) { set(TemplateValue(integer: value)) }
    func encode(_ value: UInt32) { set(TemplateValue(integer: value)) }
    func encode(_ value: UInt64) { set(TemplateValue(integer: value)) }
    func encode<T: Encodable>(_ value: T) throws {
        encoder.slot = try TemplateSlot(value, path: codingPath)
    }
}

extension TemplateValue {
    /// Integers beyond the range of Int keep all digits.
    fileprivate init(integer: some BinaryInteger) {
        self = Int(exactly: integer).map { .int($0) } ?? .string(String(integer))
    }
}
