// Finds what belongs to a method and a path.

/// A tree of path segments. A pattern such as `/queue/{id}/decision` has literal segments and named parameters, each
/// of which takes one whole, non-empty segment; a literal wins over a parameter. A slash at the end counts: `/queue/`
/// is not `/queue`.
package struct Router<Value: Sendable>: Sendable {
    private struct Node: Sendable {
        var literals: [Substring: Int] = [:]
        var parameter: Int?
        var routes: [Route] = []
    }

    private struct Route: Sendable {
        let method: String
        let names: [String]
        let value: Value
    }

    package enum Match: Sendable {
        /// The parameters are parts of the path that was given: of a decoded path they need no more decoding.
        case found(Value, parameters: [String: String])
        /// The path exists; these methods, in order, may be used on it.
        case methodNotAllowed(allow: [String])
        case notFound
    }

    private var nodes = [Node()]

    package init() {}

    /// Adds a route. The pattern begins with `/`; a method and pattern can be added once.
    package mutating func add(_ method: String, _ pattern: String, _ value: Value) {
        precondition(pattern.hasPrefix("/"), "a pattern begins with a slash")
        var node = 0
        var names: [String] = []
        for segment in Self.segments(pattern) {
            if segment.hasPrefix("{"), segment.hasSuffix("}") {
                names.append(String(segment.dropFirst().dropLast()))
                node = child(of: node, for: nil)
            } else {
                node = child(of: node, for: segment)
            }
        }
        precondition(!nodes[node].routes.contains { $0.method == method }, "\(method) \(pattern) was added twice")
        nodes[node].routes.append(Route(method: method, names: names, value: value))
    }

    private mutating func child(of node: Int, for literal: Substring?) -> Int {
        let known = literal.map { nodes[node].literals[$0] } ?? nodes[node].parameter
        if let known { return known }
        nodes.append(Node())
        if let literal {
            nodes[node].literals[literal] = nodes.count - 1
        } else {
            nodes[node].parameter = nodes.count - 1
        }
        return nodes.count - 1
    }

    /// Finds the route. HEAD is answered by the route for GET where it has none of its own.
    package func match(_ method: String, _ path: String) -> Match {
        guard path.utf8.first == UInt8(ascii: "/") else { return .notFound }
        var values: [Substring] = []
        guard let node = find(Self.segments(path)[...], from: 0, &values) else { return .notFound }
        let routes = nodes[node].routes
        let route =
            routes.first { $0.method == method } ?? (method == "HEAD" ? routes.first { $0.method == "GET" } : nil)
        guard let route else { return .methodNotAllowed(allow: allowed(routes)) }
        var parameters: [String: String] = [:]
        for (name, value) in zip(route.names, values) { parameters[name] = String(value) }
        return .found(route.value, parameters: parameters)
    }

    private func find(_ segments: ArraySlice<Substring>, from node: Int, _ values: inout [Substring]) -> Int? {
        guard let segment = segments.first else { return nodes[node].routes.isEmpty ? nil : node }
        if let child = nodes[node].literals[segment], let found = find(segments.dropFirst(), from: child, &values) {
            return found
        }
        guard let child = nodes[node].parameter, !segment.isEmpty else { return nil }
        values.append(segment)
        if let found = find(segments.dropFirst(), from: child, &values) { return found }
        values.removeLast()
        return nil
    }

    private func allowed(_ routes: [Route]) -> [String] {
        let methods = Set(routes.map(\.method))
        return methods.union(methods.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"]).sorted()
    }

    private static func segments(_ path: String) -> [Substring] {
        path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
    }
}
