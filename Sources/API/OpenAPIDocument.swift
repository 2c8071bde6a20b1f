// Describes the API as OpenAPI 3.1, from the same endpoint table.
import Domain
import HTTP

enum OpenAPIDocument {
    /// `GET /openapi.json`
    static func respond(_ call: APICall) async throws -> Response {
        let text = document(call.site).canonicalText
        return Response(call.request, call.site.headers.preview, body: Array(text.utf8))
    }

    private static func document(_ site: APISite) -> JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for endpoint in site.endpoints {
            paths[endpoint.pattern, default: [:]][endpoint.method.lowercased()] = operation(
                endpoint, site.context.schemas, site.context.examples[endpoint.pattern])
        }
        return .object([
            "openapi": "3.1.0",
            "info": .object([
                "title": "Vitrine", "version": "1",
                "description": "Create submissions, decide them, and read published content.",
            ]),
            "servers": .array([.object(["url": .string(site.context.publicURL)])]),
            "security": .array([.object(["client": .array([])])]),
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": .object([
                "securitySchemes": .object(["client": .object(["type": "http", "scheme": "basic"])]),
                "schemas": .object(
                    used(OpenAPISchemas.all.merging(site.context.schemas.schemas) { own, _ in own }, by: paths)),
            ]),
        ])
    }

    /// The schemas that operations refer to, directly or through others: those of packs that are not enabled are unused.
    private static func used(
        _ schemas: [String: JSONValue], by paths: [String: [String: JSONValue]]
    ) -> [String: JSONValue] {
        var names: Set<String> = []
        var pending = paths.values.flatMap(\.values)
        while let value = pending.popLast() {
            switch value {
            case .array(let values): pending += values
            case .object(let members):
                pending += members.values
                guard let name = members["$ref"]?.stringValue?.split(separator: "/").last.map(String.init),
                    names.insert(name).inserted
                else { continue }
                schemas[name].map { pending.append($0) }
            default: continue
            }
        }
        return schemas.filter { names.contains($0.key) }
    }

    private static func operation(
        _ endpoint: APIEndpoint, _ shapes: ResponseSchemas, _ example: APIExamples.Example?
    ) -> JSONValue {
        let inPath = endpoint.pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            let name = String(part.dropFirst().dropLast())
            let help = Self.helps[name] ?? "An id."
            return parameter(
                name, "path", ["type": "string", "minLength": .int(1)], help, isRequired: true,
                example?.parameters[name])
        }
        let inQuery = endpoint.query.map {
            parameter($0.name, "query", schema(of: $0.kind), $0.help, isRequired: false)
        }
        var operation: [String: JSONValue] = [
            "summary": .string(endpoint.summary), "parameters": .array(inPath + inQuery + headers(of: endpoint)),
            "responses": .object(
                responses(of: endpoint, endpoint.method == "GET" ? shapes.responses[endpoint.pattern] : nil, example)),
        ]
        switch endpoint.access {
        case .open: operation["security"] = .array([])
        case .client(let scopes):
            operation["description"] = .string("Scope: \(scopes.names.joined(separator: " or ")).")
        }
        if endpoint.method == "POST" { operation["requestBody"] = requestBody(of: endpoint) }
        return .object(operation)
    }

    private static func parameter(
        _ name: String, _ place: String, _ schema: [String: JSONValue], _ help: String, isRequired: Bool,
        _ example: String? = nil
    ) -> JSONValue {
        var parameter: [String: JSONValue] = [
            "name": .string(name), "in": .string(place), "required": .bool(isRequired), "schema": .object(schema),
            "description": .string(help),
        ]
        // Comma-separated, not repeated.
        if schema["type"] == "array" {
            parameter["style"] = "form"
            parameter["explode"] = .bool(false)
        }
        if let example { parameter["example"] = .string(example) }
        return .object(parameter)
    }

    private static let helps = [
        "id_or_slug": "An id or slug.", "key": "A key.", "kind": "The name of a catalog.", "code": "A problem code.",
        "table": "The names of read tables, comma-separated.",
    ]

    private static func schema(of kind: QueryParameter.Kind) -> [String: JSONValue] {
        switch kind {
        case .text(let max): ["type": "string", "minLength": .int(1), "maxLength": .int(Int64(max)), "pattern": "\\S"]
        case .cursor: ["type": "string", "maxLength": .int(1024), "pattern": "^[A-Za-z0-9_-]+$"]
        case .language:
            ["type": "string", "pattern": "^[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?$"]
        case .flag: ["type": "boolean"]
        case .choice(let choices): ["type": "string", "enum": .array(choices.map(JSONValue.string))]
        case .position: ["type": "string", "pattern": "^(0|([0-9]{1,19}-){1,2}[0-9a-f]{12})$"]
        case .ids(let max): list(of: ["type": "string", "pattern": .string("^\(uuid)$")], 1...max)
        case .names(let max): list(of: ["type": "string", "pattern": "^[a-z_]{1,63}$"], 1...max)
        case .idsOrSlugs(let max):
            list(of: ["type": "string", "minLength": .int(1), "maxLength": .int(500), "pattern": "^[^,]+$"], 1...max)
        case .box:
            list(of: ["type": "number", "minimum": .int(-180), "maximum": .int(180)], 4...4).merging(
                [
                    "prefixItems": .array(
                        [180, 90, 180, 90].map { schema(of: .degrees(limit: $0)) }.map(JSONValue.object))
                ]
            ) { $1 }
        case .point: ["type": "string", "pattern": .string(point)]
        case .decimal(let max): ["type": "number", "minimum": .int(0), "maximum": .double(max)]
        case .degrees(let limit): ["type": "number", "minimum": .double(-limit), "maximum": .double(limit)]
        }
    }

    /// Latitude from -90 to 90 and longitude from -180 to 180.
    private static let point =
        #"^-?(90(\.0+)?|[1-8]?[0-9](\.[0-9]+)?),-?(180(\.0+)?|(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]+)?)$"#
    /// Exactly 8-4-4-4-12 hexadecimal digits of either case.
    private static let uuid = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

    /// Comma-separated values; see `parameter`.
    private static func list(of items: [String: JSONValue], _ count: ClosedRange<Int>) -> [String: JSONValue] {
        [
            "type": "array", "items": .object(items), "minItems": .int(Int64(count.lowerBound)),
            "maxItems": .int(Int64(count.upperBound)),
        ]
    }

    /// Visible ASCII, bare or as a quoted string in which quotes and backslashes are escaped.
    private static let idempotencyKey: [String: JSONValue] = [
        "type": "string", "minLength": .int(1), "maxLength": .int(512),
        "pattern": #"^([!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\["\\]){1,255}")$"#,
    ]

    private static func headers(of endpoint: APIEndpoint) -> [JSONValue] {
        if case .read = endpoint.work {
            return [
                parameter(
                    "If-None-Match", "header", ["type": "string"], "The ETag of the cached response.", isRequired: false
                ),
                parameter(
                    PublicationHeader.name, "header",
                    ["type": "string", "pattern": .string(PublicationHeader.pattern)],
                    "The number of the newest publication that you have seen: the response is not older.",
                    isRequired: false),
            ]
        }
        let isKeyed = endpoint.method == "POST" && ["/v1/submissions", "/v1/reports"].contains(endpoint.pattern)
        guard isKeyed else { return [] }
        let help = "Requests with the same key and body are stored once."
        return [
            parameter("Idempotency-Key", "header", idempotencyKey, help, isRequired: false)
        ]
    }

    private static func requestBody(of endpoint: APIEndpoint) -> JSONValue {
        if endpoint.pattern == "/v1/media" {
            return .object([
                "required": .bool(true), "content": .object(["multipart/form-data": media("ImageUpload")]),
            ])
        }
        let isSubmission = endpoint.pattern == "/v1/submissions"
        let isReport = endpoint.pattern == "/v1/reports"
        let content =
            isReport
            ? media("Report", example: OpenAPISchemas.reportExample) : media(isSubmission ? "Submission" : "Decision")
        var types = ["application/json": content]
        if isSubmission {
            let form: JSONValue = .object(["schema": .object(["type": "object"])])
            types["application/x-www-form-urlencoded"] = form
            types["multipart/form-data"] = form
        }
        return .object(["required": .bool(true), "content": .object(types)])
    }

    private static func responses(
        of endpoint: APIEndpoint, _ shape: JSONValue?, _ example: APIExamples.Example?
    ) -> [String: JSONValue] {
        var responses: [String: JSONValue] = [
            "default": .object([
                "description": "A problem (RFC 9457).",
                "content": .object(["application/problem+json": media("Problem")]),
            ])
        ]
        let isNew =
            endpoint.method == "POST"
            && ["/v1/submissions", "/v1/reports", "/v1/media"].contains(endpoint.pattern)
        responses[isNew ? "201" : "200"] = .object([
            "description": .string(endpoint.summary),
            "content": .object(content(of: endpoint, shape, example)),
        ])
        // An existing image, or a reporter's report, is not created again.
        if isNew, endpoint.pattern != "/v1/submissions" { responses["200"] = responses["201"] }
        if case .read = endpoint.work {
            responses["304"] = .object(["description": "Not modified."])
            if endpoint.pattern.contains("{id_or_slug}") {
                responses["308"] = .object(["description": "The slug changed; Location contains the new URL."])
            }
        }
        return responses
    }

    private static func content(
        of endpoint: APIEndpoint, _ shape: JSONValue?, _ example: APIExamples.Example?
    ) -> [String: JSONValue] {
        let isPage = endpoint.query.contains { $0.name == "cursor" }
        let plain: JSONValue = .object(isPage ? ["$ref": "#/components/schemas/Page"] : ["type": "object"])
        var json: [String: JSONValue] = ["schema": shape ?? plain]
        if let response = example?.response { json["example"] = response }
        var content = ["application/json": JSONValue.object(json)]
        let text = JSONValue.object([
            "schema": .object(["type": endpoint.type.hasSuffix("json") ? "object" : "string"])
        ])
        if endpoint.type != APIEndpoint.json {
            return [endpoint.type.split(separator: ";").first.map(String.init) ?? "": text]
        }
        if endpoint.query.contains(where: { $0.name == "format" }) { content["text/plain"] = text }
        return content
    }

    private static func media(_ schema: String, example: JSONValue? = nil) -> JSONValue {
        var media: [String: JSONValue] = ["schema": .object(["$ref": .string("#/components/schemas/\(schema)")])]
        if let example { media["example"] = example }
        return .object(media)
    }
}
