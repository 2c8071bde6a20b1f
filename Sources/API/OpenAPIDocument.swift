// Describes the API as OpenAPI 3.1, from the same table that routes it.
import Domain
import HTTP

enum OpenAPIDocument {
    /// `GET /openapi.json`
    static func answer(_ call: APICall) async throws -> Response {
        let text = document(call.site).canonicalText
        return Response(call.request, call.site.headers.preview, body: Array(text.utf8))
    }

    private static func document(_ site: APISite) -> JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for route in site.routes {
            paths[route.pattern, default: [:]][route.method.lowercased()] = operation(
                route, site.context.answers, site.context.examples[route.pattern])
        }
        return .object([
            "openapi": "3.1.0",
            "info": .object([
                "title": "Vitrine", "version": "1",
                "description": "Submissions in, decisions, and the published image out.",
            ]),
            "servers": .array([.object(["url": .string(site.context.publicURL)])]),
            "security": .array([.object(["client": .array([])])]),
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": .object([
                "securitySchemes": .object(["client": .object(["type": "http", "scheme": "basic"])]),
                "schemas": .object(OpenAPISchemas.all.merging(site.context.answers.schemas) { own, _ in own }),
            ]),
        ])
    }

    private static func operation(
        _ route: APIEndpoint, _ shapes: ResponseSchemas, _ example: APIExamples.Example?
    ) -> JSONValue {
        let inPath = route.pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            let name = String(part.dropFirst().dropLast())
            let help = Self.helps[name] ?? "An id."
            return parameter(
                name, "path", ["type": "string", "minLength": .int(1)], help, isNeeded: true, example?.parameters[name])
        }
        let inQuery = route.query.map { parameter($0.name, "query", schema(of: $0.kind), $0.help, isNeeded: false) }
        var operation: [String: JSONValue] = [
            "summary": .string(route.summary), "parameters": .array(inPath + inQuery + headers(of: route)),
            "responses": .object(
                responses(of: route, route.method == "GET" ? shapes.answers[route.pattern] : nil, example)),
        ]
        switch route.access {
        case .open: operation["security"] = .array([])
        case .client(let scopes):
            operation["description"] = .string("Scope: \(scopes.names.joined(separator: " or ")).")
        }
        if route.method == "POST" { operation["requestBody"] = requestBody(of: route) }
        return .object(operation)
    }

    private static func parameter(
        _ name: String, _ place: String, _ schema: [String: JSONValue], _ help: String, isNeeded: Bool,
        _ example: String? = nil
    ) -> JSONValue {
        var parameter: [String: JSONValue] = [
            "name": .string(name), "in": .string(place), "required": .bool(isNeeded), "schema": .object(schema),
            "description": .string(help),
        ]
        if let example { parameter["example"] = .string(example) }
        return .object(parameter)
    }

    private static let helps = [
        "address": "An id or a slug.", "key": "A key.", "kind": "The name of a catalog.", "code": "A problem's code.",
        "table": "The name of a read table.",
    ]

    private static func schema(of kind: QueryParameter.Kind) -> [String: JSONValue] {
        switch kind {
        case .text(let max): ["type": "string", "minLength": .int(1), "maxLength": .int(Int64(max))]
        case .flag: ["type": "boolean"]
        case .choice(let choices): ["type": "string", "enum": .array(choices.map(JSONValue.string))]
        case .number: ["type": "integer", "format": "int64", "minimum": .int(0)]
        case .ids, .addresses, .box: ["type": "string", "minLength": .int(1)]
        case .degrees(let limit): ["type": "number", "minimum": .double(-limit), "maximum": .double(limit)]
        }
    }

    private static func headers(of route: APIEndpoint) -> [JSONValue] {
        if case .read = route.work {
            return [
                parameter("If-None-Match", "header", ["type": "string"], "The ETag that is known.", isNeeded: false)
            ]
        }
        guard route.method == "POST", route.pattern == "/v1/submissions" else { return [] }
        let help = "The same key and body is stored once."
        return [
            parameter("Idempotency-Key", "header", ["type": "string", "maxLength": .int(257)], help, isNeeded: false)
        ]
    }

    private static func requestBody(of route: APIEndpoint) -> JSONValue {
        if route.pattern == "/v1/media" {
            return .object([
                "required": .bool(true), "content": .object(["multipart/form-data": media("ImageUpload")]),
            ])
        }
        let isSubmission = route.pattern == "/v1/submissions"
        let content = media(isSubmission ? "Submission" : "Decision")
        var types = ["application/json": content]
        if isSubmission {
            let form: JSONValue = .object(["schema": .object(["type": "object"])])
            types["application/x-www-form-urlencoded"] = form
            types["multipart/form-data"] = form
        }
        return .object(["required": .bool(true), "content": .object(types)])
    }

    private static func responses(
        of route: APIEndpoint, _ shape: JSONValue?, _ example: APIExamples.Example?
    ) -> [String: JSONValue] {
        var responses: [String: JSONValue] = [
            "default": .object([
                "description": "A problem (RFC 9457).",
                "content": .object(["application/problem+json": media("Problem")]),
            ])
        ]
        let isNew = route.method == "POST" && ["/v1/submissions", "/v1/media"].contains(route.pattern)
        responses[isNew ? "201" : "200"] = .object([
            "description": .string(route.summary),
            "content": .object(content(of: route, shape, example)),
        ])
        // An image that is there already is not made again.
        if isNew, route.pattern == "/v1/media" { responses["200"] = responses["201"] }
        if case .read = route.work {
            responses["304"] = .object(["description": "What is known is still good."])
            if route.pattern.contains("{id_or_slug}") {
                responses["308"] = .object(["description": "The slug was changed; Location has the new one."])
            }
        }
        return responses
    }

    private static func content(
        of route: APIEndpoint, _ shape: JSONValue?, _ example: APIExamples.Example?
    ) -> [String: JSONValue] {
        let isPage = route.query.contains { $0.name == "cursor" }
        let plain: JSONValue = .object(isPage ? ["$ref": "#/components/schemas/Page"] : ["type": "object"])
        var json: [String: JSONValue] = ["schema": shape ?? plain]
        if let answer = example?.answer { json["example"] = answer }
        var content = ["application/json": JSONValue.object(json)]
        let text = JSONValue.object([
            "schema": .object(["type": route.type.hasSuffix("json") ? "object" : "string"])
        ])
        if route.type != APIEndpoint.json { return [route.type.split(separator: ";").first.map(String.init) ?? "": text] }
        if route.query.contains(where: { $0.name == "format" }) { content["text/plain"] = text }
        return content
    }

    private static func media(_ schema: String) -> JSONValue {
        .object(["schema": .object(["$ref": .string("#/components/schemas/\(schema)")])])
    }
}
