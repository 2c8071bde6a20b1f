// The fields of stored content. What can't be read is empty, with the reason, so that one damaged row never stops a list.
import Domain
import Localization
import Postgres

package struct StoredFields: Sendable, PostgresDecodable {
    package let values: [String: JSONValue]
    /// Why the content can't be read; nil if it can.
    package let damage: String?

    package static func decode(_ cell: PostgresCell) -> StoredFields? {
        do throws(Failure) {
            guard let values = try JSONValue(stored: Array(cell.bytes)).objectValue else {
                return StoredFields(values: [:], damage: tr("The stored content is not an object."))
            }
            return StoredFields(values: values, damage: nil)
        } catch {
            return StoredFields(values: [:], damage: tr("The stored content can't be read: \(error.sentence)"))
        }
    }

    /// The values; throws for damaged content, on which nothing may be built.
    package func readable() throws(Failure) -> [String: JSONValue] {
        if let damage { throw .invalid(FieldErrors("/fields", "damaged", damage)) }
        return values
    }
}
