// Which fields the contributors' forms show.

extension Field {
    /// Whether contributors fill it in: fields that refer to our own content, and JSON, are left out.
    package var isForContributors: Bool {
        func isInternal(_ field: Field) -> Bool {
            field.type.isReference || field.type == .catalogItem || field.type == .json
                || field.fields.contains(where: isInternal)
        }
        return submittable && !isInternal(self)
    }
}

extension ContentType {
    /// The fields that contributors fill in.
    package var contributorFields: [Field] { fields.filter(\.isForContributors) }
}
