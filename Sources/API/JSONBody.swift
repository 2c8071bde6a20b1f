// Reads the JSON object in a request body, member by member, and collects all errors.
import Domain
import HTTP

struct JSONBody {
    private let members: [String: JSONValue]
    private(set) var errors = FieldErrors()

    /// Throws a `Problem` for a type other than `application/json` (415) and for a body that is not JSON in UTF-8
    /// (400);
    /// an object with a duplicate member is not accepted as JSON (S17).
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

    /// `utf8` is what several clients write.
    static func isJSON(_ request: Request) -> Bool {
        guard let type = request.contentType, type.essence == "application/json" else { return false }
        return type[parameter: "charset"].map { ["utf-8", "utf8"].contains($0.lowercased()) } ?? true
    }

    private static func malformed(_ failure: Failure) -> Problem {
        var problem = Problem(400, "malformed_json", "The body isn't valid JSON.")
        if case .invalid(let errors) = failure { problem.errors = errors.items }
        return problem
    }

    /// Records an error for every other member.
    mutating func allow(_ names: [String]) {
        // At most 20 messages, because a body could consist of unknown members.
        for name in members.keys.filter({ !names.contains($0) }).sorted().prefix(20) {
            let known = names.joined(separator: ", ")
            errors.add(FieldErrors.step(name), "unknown_field", "Unknown member. Known members: \(known).")
        }
    }

    mutating func text(_ name: String, isRequired: Bool = false) -> String? {
        value(name, isRequired: isRequired, "text") { $0.stringValue }
    }

    mutating func object(_ name: String, isRequired: Bool = false) -> [String: JSONValue]? {
        value(name, isRequired: isRequired, "an object") { $0.objectValue }
    }

    mutating func integer(_ name: String) -> Int? {
        value(name, isRequired: false, "a whole number") { value in
            if case .int(let number) = value { Int(exactly: number) } else { nil }
        }
    }

    mutating func texts(_ name: String) -> [String] {
        let texts = value(name, isRequired: false, "a list of texts") { value -> [String]? in
            guard let values = value.arrayValue else { return nil }
            let texts = values.compactMap(\.stringValue)
            return texts.count == values.count ? texts : nil
        }
        return texts ?? []
    }

    mutating func add(_ pointer: String, _ code: String, _ message: String) {
        errors.add(pointer, code, message)
    }

    /// A null member counts as absent.
    private mutating func value<Value>(
        _ name: String, isRequired: Bool, _ what: String, _ read: (JSONValue) -> Value?
    ) -> Value? {
        guard let member = members[name], member != .null else {
            if isRequired { errors.add(FieldErrors.step(name), "required", "This field is required.") }
            return nil
        }
        let value = read(member)
        if value == nil { errors.add(FieldErrors.step(name), "type", "Enter \(what).") }
        return value
    }
}
