// Error messages about input, each attached to its field.

package struct FieldErrors: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        /// A JSON pointer (RFC 6901) into the input, such as `/fields/title`; empty for the whole input.
        package let pointer: String
        /// A code for programs, such as `required` or `too_long`.
        package let code: String
        /// A sentence for people.
        package let message: String

        package init(pointer: String, code: String, message: String) {
            self.pointer = pointer
            self.code = code
            self.message = message
        }
    }

    package private(set) var items: [Item]

    package init() {
        items = []
    }

    package init(_ pointer: String, _ code: String, _ message: String) {
        items = [Item(pointer: pointer, code: code, message: message)]
    }

    package var isEmpty: Bool { items.isEmpty }

    package mutating func add(_ pointer: String, _ code: String, _ message: String) {
        items.append(Item(pointer: pointer, code: code, message: message))
    }

    package mutating func add(_ others: FieldErrors) {
        items += others.items
    }

    /// The result of `check`; nil when it throws, with its messages added here, so that a form shows all errors at
    /// once.
    package mutating func collect<Value>(_ check: () throws(Failure) -> Value) -> Value? {
        do {
            return try check()
        } catch {
            if case .invalid(let errors) = error { add(errors) } else { add("", "refused", error.sentence) }
            return nil
        }
    }

    /// The same for a check that may also fail otherwise: throws all but `Failure.invalid`.
    package mutating func collectInvalid<Value>(_ check: () async throws -> Value) async throws -> Value? {
        do {
            return try await check()
        } catch Failure.invalid(let errors) {
            add(errors)
            return nil
        }
    }

    /// The messages at exactly this pointer, in the order in which they were added.
    package func messages(at pointer: String) -> [String] {
        items.filter { $0.pointer == pointer }.map(\.message)
    }

    /// Throws `Failure.invalid` with all messages if there are any.
    package func throwIfAny() throws(Failure) {
        if !isEmpty { throw .invalid(self) }
    }

    /// A list of objects with `pointer`, `code` and `message`.
    package var json: JSONValue {
        .array(
            items.map { item in
                .object([
                    "pointer": .string(item.pointer), "code": .string(item.code), "message": .string(item.message),
                ])
            })
    }

    /// One step of a JSON pointer, with `/` and `~` escaped.
    package static func step(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
            return "/" + name
        }
        var step = "/"
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.unicodeScalars.append(scalar)
            }
        }
        return step
    }
}
