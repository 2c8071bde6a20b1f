// The body of a request, read whole before the handler runs.

/// What came after the head of a request.
package enum Body: Sendable, Equatable {
    case none
    /// Any type but the two form types, as it came.
    case bytes([UInt8])
    /// `application/x-www-form-urlencoded` or `multipart/form-data`.
    case form(FormFields)

    /// The form, or an empty one when the body is no form.
    package var form: FormFields {
        if case .form(let fields) = self { return fields }
        return FormFields()
    }

    /// The bytes as they came; empty for a form, which was read while it arrived.
    package var bytes: [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        return []
    }
}
