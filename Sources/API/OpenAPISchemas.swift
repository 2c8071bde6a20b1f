// The schemas that the OpenAPI document refers to.
import Domain

enum OpenAPISchemas {
    static let all: [String: JSONValue] = [
        "Submission": submission, "Decision": decision, "Report": report, "ImageUpload": image, "Problem": problem,
        "Page": page,
    ]

    private static let page: JSONValue = .object([
        "type": "object", "required": .array(["data", "next"]),
        "properties": .object([
            "data": .object(["type": "array", "items": .object(["type": "object"])]),
            "next": .object([
                "type": .array(["string", "null"]), "description": "The cursor of the next page; null on the last.",
            ]),
        ]),
    ])

    private static let image = object(
        [
            "file": ["type": "string", "format": "binary", "description": "JPEG, PNG, WebP, GIF, HEIC, AVIF or SVG."],
            "alt": [
                "type": "string", "maxLength": .int(500), "description": "Alternative text: what the image shows.",
            ],
        ], needed: ["file"], isClosed: true)

    private static let submission = object(
        [
            "type": ["type": "string", "description": "A content type that accepts submissions."],
            "contributor": [
                "type": "string", "maxLength": .int(200), "description": "The portal's reference for the contributor.",
            ],
            "contributor_email": [
                "type": "string", "maxLength": .int(254),
                "description": "The contributor's email address for notifications; never returned by the API.",
            ],
            "contributor_locale": [
                "type": "string", "maxLength": .int(35),
                "description": "The language of notifications, such as de-AT; default en.",
            ],
            "category": ["type": "string", "maxLength": .int(200), "description": "The requested category."],
            "fields": ["type": "object", "description": "The fields of the content type."],
        ], needed: ["type", "fields"], isClosed: true)

    private static let report = object(
        [
            "entry": ["type": "string", "description": "The id of a published entry."],
            "slug": [
                "type": "string", "maxLength": .int(500),
                "description": "The slug of a published entry, instead of its id.",
            ],
            "kind": ["type": "string", "description": "With slug: its kind; default item."],
            "reason": ["enum": .array(ReportReason.allCases.map { .string($0.rawValue) })],
            "text": [
                "type": "string", "maxLength": .int(Int64(StaffNote.maxLength)),
                "description": "What is wrong; required with other. Shown to the team as plain text.",
            ],
            "reporter": [
                "type": "string", "maxLength": .int(200),
                "description":
                    "The app's reference for the reader, who counts once for each entry. Without it: anonymous.",
            ],
            "reporter_email": [
                "type": "string", "maxLength": .int(254),
                "description": "Notified of the outcome, then erased; never returned by the API.",
            ],
            "reporter_locale": [
                "type": "string", "maxLength": .int(35),
                "description": "The language of the notification, such as de-AT; default en.",
            ],
        ], needed: ["reason"], isClosed: true)

    static let reportExample: JSONValue = .object([
        "slug": "a-towpath-in-four-seasons", "reason": "inaccurate", "text": "The café has closed.",
        "reporter": "reader-17",
    ])

    private static let decision = object(
        [
            "verdict": ["enum": .array(Verdict.allCases.map { .string($0.rawValue) })],
            "reason": [
                "enum": .array(RejectReason.allCases.map { .string($0.rawValue) }),
                "description": "The reason for a rejection.",
            ],
            "message": ["type": "string", "maxLength": .int(2000), "description": "A message to the contributor."],
            "field_notes": [
                "type": "object",
                "additionalProperties": .object([
                    "type": "string", "maxLength": .int(Int64(FieldNotes.maxLength)),
                ]),
                "description": "With request_changes: notes to the contributor, by the name of the field.",
            ],
            "duplicate_of": [
                "type": "string", "description": "With duplicate: the id of the original submission or entry.",
            ],
            "feeds": list, "categories": list,
            "publish": ["type": "string", "description": "now, none, or a time; default now."],
            "zone": ["type": "string", "description": "The IANA time zone for a time without an offset."],
            "edits": ["type": "object", "description": "Edited fields."],
            "version": [
                "type": "integer",
                "description": "The number of decisions you have seen; a different number is a conflict.",
            ],
        ], needed: ["verdict"], isClosed: true)

    private static let problem = object(
        [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "detail": ["type": "string"], "code": ["type": "string"], "instance": ["type": "string"],
            "errors": [
                "type": "array",
                "items": object(
                    ["pointer": ["type": "string"], "code": ["type": "string"], "detail": ["type": "string"]],
                    needed: ["pointer", "code", "detail"], isClosed: false),
            ],
        ], needed: ["type", "title", "status", "detail", "code", "instance"], isClosed: false)

    private static let list: [String: JSONValue] = [
        "type": "array", "items": .object(["type": "string"]), "description": "Ids or slugs.",
    ]

    private static func object(
        _ members: [String: [String: JSONValue]], needed: [String], isClosed: Bool
    ) -> JSONValue {
        .object([
            "type": "object", "properties": .object(members.mapValues(JSONValue.object)),
            "required": .array(needed.map(JSONValue.string)), "additionalProperties": .bool(!isClosed),
        ])
    }
}
