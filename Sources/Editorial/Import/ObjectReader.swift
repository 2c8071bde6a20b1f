// Reads the objects of a JSON document one by one: the features of a GeoJSON file, or a list of plain objects.
import Domain

/// The objects stand in an array, which is the whole document or a member of its one object. Names come in lower case;
/// members of objects within are known by their own name. A geometry gives `lat` and `lon`: of a point itself, of
/// anything else the middle of the box around it.
struct ObjectReader {
    private var nesting: [UInt8] = []
    private var isText = false
    private var isEscaped = false
    private var object: [UInt8]?
    private var count = 0
    private var records: [ImportRecord] = []

    private static let longestObject = 1 << 20

    mutating func read(_ bytes: some Sequence<UInt8>) throws(Failure) -> [ImportRecord] {
        for byte in bytes { try take(byte) }
        defer { records = [] }
        return records
    }

    mutating func finish() throws(Failure) -> [ImportRecord] {
        if !nesting.isEmpty || isText {
            throw Failure.refused(
                code: "malformed", message: "The JSON document ends in the middle of object \(count + 1).")
        }
        return []
    }

    private mutating func take(_ byte: UInt8) throws(Failure) {
        if isText {
            object?.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isText = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if byte == UInt8(ascii: "{"), object == nil, isInList { object = [] }
            nesting.append(byte)
            object?.append(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            object?.append(byte)
            guard nesting.popLast() == (byte == UInt8(ascii: "}") ? UInt8(ascii: "{") : UInt8(ascii: "[")) else {
                throw Failure.refused(code: "malformed", message: "This is not JSON: brackets do not match.")
            }
            if let bytes = object, isInList {
                object = nil
                end(bytes)
            }
        default:
            if byte == UInt8(ascii: "\"") { isText = true }
            object?.append(byte)
        }
        if let object, object.count > Self.longestObject {
            throw Failure.refused(code: "malformed", message: "Object \(count + 1) is longer than a mebibyte.")
        }
    }

    private var isInList: Bool {
        nesting == [UInt8(ascii: "[")] || nesting == [UInt8(ascii: "{"), UInt8(ascii: "[")]
    }

    private mutating func end(_ bytes: [UInt8]) {
        count += 1
        var record = ImportRecord(place: "object \(count)", values: [:])
        if let members = (try? JSONValue(parsing: bytes))?.objectValue {
            Self.collect(members, into: &record.values)
        } else {
            record.problem = "This is not a JSON object."
        }
        records.append(record)
    }

    private static func collect(_ members: [String: JSONValue], into values: inout [String: JSONValue]) {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if name == "geometry" {
                if let (lat, lon) = middle(of: value["coordinates"]) {
                    values["lat"] = .number(lat)
                    values["lon"] = .number(lon)
                }
                continue
            }
            switch value {
            case .object(let within): collect(within, into: &values)
            case .null, .array: break
            case .string(let text) where !text.contains { !$0.isWhitespace }: break
            // What stands further out comes first: the feature's id, before an id among its properties.
            default: if values[name.lowercased()] == nil { values[name.lowercased()] = value }
            }
        }
    }

    private static func middle(of coordinates: JSONValue?) -> (lat: Double, lon: Double)? {
        var (south, north, west, east) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        func visit(_ value: JSONValue) {
            guard let items = value.arrayValue else { return }
            guard items.count >= 2, let lon = items[0].doubleValue, let lat = items[1].doubleValue else {
                items.forEach(visit)
                return
            }
            (south, north) = (min(south, lat), max(north, lat))
            (west, east) = (min(west, lon), max(east, lon))
        }
        if let coordinates { visit(coordinates) }
        guard south <= north else { return nil }
        // A single point stays as it was written.
        return (south == north ? south : (south + north) / 2, west == east ? west : (west + east) / 2)
    }
}
