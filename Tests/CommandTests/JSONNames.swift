// Finds lines of output that are not JSON, and members whose names are not in snake_case.
import Domain

enum JSONNames {
    /// Members whose objects map what users wrote.
    private static let maps: Set = ["unknown_categories", "archived_categories"]

    /// One sentence for each problem; lists are one document per line.
    static func problems(_ output: String) -> [String] {
        output.split(separator: "\n").flatMap { line in
            guard let value = try? JSONValue(parsing: Array(line.utf8)), value.isStructure else {
                return ["\"\(line)\" is no JSON"]
            }
            return wrong(value, "").map { "the name \($0)" }
        }
    }

    private static func wrong(_ value: JSONValue, _ path: String) -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { name, value in
                let isNamed = !name.isEmpty && name.utf8.allSatisfy { isAllowed($0) }
                let isMap = maps.contains(String(path.split(separator: "/").last ?? ""))
                return (isNamed || isMap ? [] : ["\(path)/\(name)"]) + wrong(value, "\(path)/\(name)")
            }
        case .array(let items): items.flatMap { wrong($0, path) }
        default: []
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension JSONValue {
    fileprivate var isStructure: Bool {
        switch self {
        case .object, .array: true
        default: false
        }
    }
}
