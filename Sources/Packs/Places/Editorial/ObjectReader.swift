// Reads the objects of JSON one by one: the features of a GeoJSON file, an array of plain objects, or an object per line.
import Domain
import Localization
import Operations

/// The array of objects is the whole document or a member of its one object. Without an array, each object of the document is
/// one: a single feature, or one in each line, with or without the separators of RFC 8142. Names are lowercased; members of nested
/// objects keep their own name, unless an outer one has it. A geometry becomes `lat` and `lon`: those of a point, otherwise the
/// center of the bounding box.
struct ObjectReader {
    private var nesting: [UInt8] = []
    private var isText = false
    private var isEscaped = false
    private var object: [UInt8]?
    /// An object that is in no array, as long as it may be a record itself.
    private var outer: [UInt8]?
    private var count = 0
    private var records: [ImportRecord] = []
    /// The beginning of the document, which says what one without records is.
    private var head: [UInt8] = []

    private static let longestObject = 1 << 20
    private static let headBytes = 4096

    mutating func read(_ bytes: [UInt8]) throws(Failure) -> [ImportRecord] {
        if head.count < Self.headBytes { head += bytes.prefix(Self.headBytes - head.count) }
        for byte in bytes { try take(byte) }
        defer { records = [] }
        return records
    }

    mutating func finish() throws(Failure) -> [ImportRecord] {
        if !nesting.isEmpty || isText {
            throw Failure.refused(
                code: "malformed", message: tr("The JSON document ends in the middle of object \(count + 1)."))
        }
        if count == 0, let found = Self.format(of: String(decoding: head, as: UTF8.self)) {
            throw Failure.refused(code: "empty", message: tr("The file is \(found). Convert it to GeoJSON features."))
        }
        return []
    }

    /// What a document without features or objects is; nil if it does not say.
    private static func format(of text: String) -> String? {
        if text.contains(#/"type"\s*:\s*"Topology"/#) || text.contains(#/"arcs"\s*:/#) { return "TopoJSON" }
        if text.contains(#/"geometryType"|"spatialReference"/#) { return "Esri JSON" }
        let geometry = #/"type"\s*:\s*"(?:Multi)?(?:Point|LineString|Polygon)"|"GeometryCollection"/#
        return text.contains(geometry) ? tr("a geometry without properties") : nil
    }

    private mutating func take(_ byte: UInt8) throws(Failure) {
        if isText {
            object?.append(byte)
            outer?.append(byte)
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
            if byte == UInt8(ascii: "{"), nesting.isEmpty { outer = [] }
            if byte == UInt8(ascii: "{"), object == nil, isInList { (object, outer) = ([], nil) }
            nesting.append(byte)
            object?.append(byte)
            outer?.append(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            object?.append(byte)
            outer?.append(byte)
            guard nesting.popLast() == (byte == UInt8(ascii: "}") ? UInt8(ascii: "{") : UInt8(ascii: "[")) else {
                throw Failure.refused(
                    code: "malformed", message: tr("The file is not valid JSON: the brackets don't match."))
            }
            if let bytes = object, isInList {
                object = nil
                end(bytes)
            } else if nesting.isEmpty, let bytes = outer {
                outer = nil
                if Self.isRecord(bytes) { end(bytes) }
            }
        default:
            if byte == UInt8(ascii: "\"") { isText = true }
            object?.append(byte)
            outer?.append(byte)
        }
        if let outer, outer.count > Self.longestObject { self.outer = nil }
        if let object, object.count > Self.longestObject {
            throw Failure.refused(code: "malformed", message: tr("Object \(count + 1) is longer than 1 MiB."))
        }
    }

    private var isInList: Bool {
        nesting == [UInt8(ascii: "[")] || nesting == [UInt8(ascii: "{"), UInt8(ascii: "[")]
    }

    /// A feature, or an object without the arrays that documents of other formats consist of.
    private static func isRecord(_ bytes: [UInt8]) -> Bool {
        guard let members = (try? JSONValue(parsing: bytes))?.objectValue else { return true }
        return members["type"]?.stringValue == "Feature" || members.values.allSatisfy { $0.arrayValue == nil }
    }

    private mutating func end(_ bytes: [UInt8]) {
        count += 1
        var record = ImportRecord(location: tr("object \(count)", context: "object reader"), values: [:])
        do throws(Failure) {
            Self.collect(try JSONValue(parsing: bytes).objectValue ?? [:], into: &record.values)
        } catch {
            record.problem = Self.sentence(error)
        }
        records.append(record)
    }

    private static func sentence(_ failure: Failure) -> String {
        guard case .invalid(let errors) = failure, let first = errors.items.first else { return failure.sentence }
        return first.pointer.isEmpty ? first.message : "\(first.pointer): \(first.message)"
    }

    /// Level by level: the feature's id wins over an id among its properties, the name of a place over that of its city.
    private static func collect(_ members: [String: JSONValue], into values: inout [String: JSONValue]) {
        var level = [members]
        // That it is a feature, and in which coordinate system, says nothing of what it describes.
        if members["type"]?.stringValue == "Feature" { (level[0]["type"], level[0]["crs"]) = (nil, nil) }
        while !level.isEmpty {
            var nested: [[String: JSONValue]] = []
            for (name, value) in level.flatMap({ $0.sorted { $0.key < $1.key } }) {
                if name == "geometry" {
                    if let (lat, lon) = center(of: value["coordinates"]) {
                        values["lat"] = .number(lat)
                        values["lon"] = .number(lon)
                    }
                    continue
                }
                switch value {
                case .object(let members): nested.append(members)
                case .null, .array: break
                case .string(let text) where !text.contains { !$0.isWhitespace }: break
                default: if values[name.lowercased()] == nil { values[name.lowercased()] = value }
                }
            }
            level = nested
        }
    }

    private static func center(of coordinates: JSONValue?) -> (lat: Double, lon: Double)? {
        var (south, north, west, east) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        // The same with longitudes from 0 to 360, in which what crosses the 180th meridian is in one piece.
        var (fromWest, toEast) = (Double.infinity, -Double.infinity)
        func visit(_ value: JSONValue) {
            guard let items = value.arrayValue else { return }
            guard items.count >= 2, let lon = items[0].doubleValue, let lat = items[1].doubleValue else {
                items.forEach(visit)
                return
            }
            (south, north) = (min(south, lat), max(north, lat))
            (west, east) = (min(west, lon), max(east, lon))
            let turned = lon < 0 ? lon + 360 : lon
            (fromWest, toEast) = (min(fromWest, turned), max(toEast, turned))
        }
        if let coordinates { visit(coordinates) }
        guard south <= north else { return nil }
        // A single point keeps its exact coordinates.
        let lat = south == north ? south : (south + north) / 2
        if east - west > 180, toEast - fromWest < 180 {
            let lon = (fromWest + toEast) / 2
            return (lat, lon > 180 ? lon - 360 : lon)
        }
        return (lat, west == east ? west : (west + east) / 2)
    }
}
