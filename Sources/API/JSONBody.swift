// Reads the JSON object in a request's body, member by member, and collects every mistake.
import Domain
import HTTP

struct JSONBody {
    private let members: [String: JSONValue]
    private(set) var errors = FieldErrors()

    /// Throws a `Problem` for another type than `application/json` (415) and for what is not JSON in UTF-8 (400); an
    /// object that names a member twice is no JSON here (S17).
    init(_ request: Request) throws {
        guard Self.isJSON(request) else {
            throw Problem(415, "unsupported_media_type", "Send application/json in UTF-8.")
        }
        let value: JSONValue
        do throws(Failure) {
            value = try JSONValue(parsing: request.body.bytes)
        } catch {
            throw Self.malformed(error)
        }
        guard let members = value.objectValue else {
            throw Failure.invalid(FieldErrors("", "type", "Send a JSON object."))
        }
        self.members = members
    }

    static func isJSON(_ request: Request) -> Bool {
        guard let type = request.contentType, type.essence == "application/json" else { return false }
        return type[parameter: "charset"].map { $0.lowercased() == "utf-8" } ?? true
    }

    private static func malformed(_ failure: Failure) -> Problem {
        var problem = Problem(400, "malformed_json", "The body is not JSON as it is taken here.")
        if case .invalid(let errors) = failure { problem.errors = errors.items }
        return problem
    }

    /// Notes every member that is not among these.
    mutating func allow(_ names: [String]) {
        // A body of nothing but unknown members needs no message for each.
        for name in members.keys.filter({ !names.contains($0) }).sorted().prefix(20) {
            let known = names.joined(separator: ", ")
            errors.add(FieldErrors.step(name), "unknown_field", "There is no such member; there are: \(known).")
        }
    }

    mutating func text(_ name: String, isNeeded: Bool = false) -> String? {
        value(name, isNeeded: isNeeded, "text") { $0.stringValue }
    }

    mutating func object(_ name: String, isNeeded: Bool = false) -> [String: JSONValue]? {
        value(name, isNeeded: isNeeded, "an object") { $0.objectValue }
    }

    mutating func integer(_ name: String) -> Int? {
        value(name, isNeeded: false, "a whole number") { value in
            if case .int(let number) = value { Int(exactly: number) } else { nil }
        }
    }

    mutating func texts(_ name: String) -> [String] {
        let texts = value(name, isNeeded: false, "a list of texts") { value -> [String]? in
            guard let values = value.arrayValue else { return nil }
            let texts = values.compactMap(\.stringValue)
            return texts.count == values.count ? texts : nil
        }
        return texts ?? []
    }

    mutating func add(_ pointer: String, _ code: String, _ message: String) {
        errors.add(pointer, code, message)
    }

    /// A member that is null is as if it were not there.
    private mutating func value<Value>(
        _ name: String, isNeeded: Bool, _ what: String, _ read: (JSONValue) -> Value?
    ) -> Value? {
        guard let member = members[name], member != .null else {
            if isNeeded { errors.add(FieldErrors.step(name), "required", "This is needed.") }
            return nil
        }
        let value = read(member)
        if value == nil { errors.add(FieldErrors.step(name), "type", "This must be \(what).") }
        return value
    }
}
