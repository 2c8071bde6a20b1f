// Runs the action of a form, and shows the form again when it is refused.
import Domain
import HTTP

extension AdminRequest {
    /// Runs the action of a form. If it is refused, `page` shows the form again with all errors, and takes what was typed
    /// from the form. A refusal that names no field is shown at `pointer`. `stale` shows values that changed meanwhile.
    package func submit(
        at pointer: String = "", orShow page: (AdminRequest, FieldErrors) async throws -> Response,
        stale: (([StaleValue]) throws -> Response)? = nil, _ action: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await action()
        } catch Failure.invalid(let errors) {
            return try await page(self, errors)
        } catch Failure.refused(let code, let message) {
            return try await page(self, FieldErrors(pointer, code, message))
        } catch Failure.conflict(let code, let message) {
            return try await page(
                self, FieldErrors(pointer, FieldErrors.conflicts.contains(code) ? code : "conflict", message))
        } catch Failure.stale(let values) {
            guard let stale else { throw Failure.stale(values) }
            return try stale(values)
        }
    }
}

extension FieldErrors {
    /// The codes of what somebody else changed meanwhile.
    static let conflicts: Set = ["claimed", "conflict", "plan_changed", "stale"]

    /// Whether a plan has changed since it was shown.
    var isPlanChanged: Bool { items.contains { $0.code == "plan_changed" } }

    /// The status of a page that shows these errors.
    package var status: Int {
        let codes = Set(items.map(\.code))
        if codes.isEmpty { return 200 }
        if !codes.isDisjoint(with: Self.conflicts) { return 409 }
        if codes.contains("too_many_attempts") { return 429 }
        return codes.isDisjoint(with: ["forbidden", BlockedContributor.code]) ? 422 : 403
    }
}
