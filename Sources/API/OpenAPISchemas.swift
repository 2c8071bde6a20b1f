// The schemas that the OpenAPI document refers to.
import Domain

enum OpenAPISchemas {
    static let all: [String: JSONValue] = [
        "Submission": submission, "Decision": decision, "ImageUpload": image, "Problem": problem, "Page": page,
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
            "file": ["type": "string", "format": "binary", "description": "JPEG, PNG, WebP, GIF, HEIC or AVIF."],
            "alt": [
                "type": "string", "maxLength": .int(500), "description": "What it shows, for people who cannot see it.",
            ],
        ], needed: ["file"], isClosed: true)

    private static let submission = object(
        [
            "type": ["type": "string", "description": "A content type that takes submissions."],
            "contributor": [
                "type": "string", "maxLength": .int(200), "description": "Who sent it, as the portal knows them.",
            ],
            "contributor_email": [
                "type": "string", "maxLength": .int(254),
                "description": "Where they want to hear of it; no application is ever shown it.",
            ],
            "contributor_locale": [
                "type": "string", "maxLength": .int(35),
                "description": "The language of what they are written, such as de-AT; en where nothing is said.",
            ],
            "category": ["type": "string", "maxLength": .int(200), "description": "The category that is wished for."],
            "fields": ["type": "object", "description": "The fields of the content type."],
        ], needed: ["type", "fields"], isClosed: true)

    private static let decision = object(
        [
            "verdict": ["enum": .array(Verdict.allCases.map { .string($0.rawValue) })],
            "reason": [
                "enum": .array(RejectReason.allCases.map { .string($0.rawValue) }),
                "description": "Why it is rejected.",
            ],
            "message": ["type": "string", "maxLength": .int(2000), "description": "For the contributor."],
            "duplicate_of": [
                "type": "string", "description": "With duplicate: the id of the submission or entry that was first.",
            ],
            "feeds": list, "categories": list,
            "publish": ["type": "string", "description": "now, approve-only, or a time; now where nothing is said."],
            "zone": ["type": "string", "description": "The IANA time zone of a time without an offset."],
            "edits": ["type": "object", "description": "The fields as they are to be."],
            "version": [
                "type": "integer", "description": "How many decisions were seen; another number is a conflict.",
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
