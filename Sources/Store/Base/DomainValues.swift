// Maps domain values to SQL: ids to uuid, enums to their text, JSON to text.
import Domain
import FoundationEssentials
import Postgres

extension ID: PostgresEncodable {
    package var postgresBind: Bind { .text(description) }
}

extension ID: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> ID? { String.decode(cell).flatMap(ID.init) }
}

extension JSONValue: PostgresEncodable {
    package var postgresBind: Bind { .text(canonicalText) }
}

extension JSONValue: PostgresDecodable {
    package static func decode(_ cell: PostgresCell) -> JSONValue? { try? JSONValue(stored: Array(cell.bytes)) }
}

/// By its name.
extension Role: PostgresEncodable {
    package var postgresBind: Bind { .text(name) }
}

extension Scope: PostgresEncodable, PostgresDecodable {}
extension SubmissionState: PostgresEncodable, PostgresDecodable {}
extension ReleaseState: PostgresEncodable, PostgresDecodable {}
extension WebhookEvent: PostgresEncodable, PostgresDecodable {}
extension WebhookState: PostgresEncodable, PostgresDecodable {}
extension WebhookDeliveryState: PostgresEncodable, PostgresDecodable {}
extension MailState: PostgresEncodable, PostgresDecodable {}
extension BackgroundTaskKind: PostgresEncodable, PostgresDecodable {}
extension MailDraft.Link: PostgresEncodable, PostgresDecodable {}
extension MediaState: PostgresEncodable, PostgresDecodable {}

extension ImageCrop {
    /// The whole image if the columns are no crop.
    init(row: Row) throws {
        let crop = ImageCrop(
            x: try row("crop_x"), y: try row("crop_y"), width: try row("crop_width"), height: try row("crop_height"))
        self = crop ?? .whole
    }
}

extension ImageValue.File {
    /// The files of a version, from arrays.
    static func list(row: Row) throws -> [ImageValue.File] {
        let (widths, heights): ([Int], [Int]) = (try row("widths"), try row("heights"))
        let (sizes, sums): ([Int], [String]) = (try row("sizes"), try row("sums"))
        return zip(try row("paths") as [String], widths.indices).map { path, index in
            ImageValue.File(
                path: path, width: widths[index], height: heights[index], bytes: sizes[index], sha256: sums[index])
        }
    }
}
