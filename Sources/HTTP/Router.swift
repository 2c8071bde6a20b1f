// Finds what belongs to a method and a path.

/// A tree of path segments. A pattern such as `/queue/{id}/decision` has literal segments and named parameters, each
/// of which takes one whole, non-empty segment; a literal wins over a parameter. A slash at the end counts: `/queue/`
/// is not `/queue`.
package struct Router<Value: Sendable>: Sendable {
    package enum Match: Sendable {
        /// The parameters are parts of the path that was given: of a decoded path they need no more decoding.
        case found(Value, parameters: PathParameters)
        /// The path exists; these methods, in order, may be used on it.
        case methodNotAllowed(allow: [String])
        case notFound
    }

    private var tree = PathTree()
    private var values: [Value] = []

    package init() {}

    /// Adds a endpoint. The pattern begins with `/`; a method and pattern can be added once.
    package mutating func add(_ method: String, _ pattern: String, _ value: Value) {
        tree.add(method, pattern, number: values.count)
        values.append(value)
    }

    /// Finds the endpoint. HEAD uses the endpoint for GET where it has none of its own.
    package func match(_ method: String, _ path: String) -> Match {
        switch tree.match(method, path) {
        case .found(let number, let parameters): .found(values[number], parameters: parameters)
        case .methodNotAllowed(let allow): .methodNotAllowed(allow: allow)
        case .notFound: .notFound
        }
    }
}

/// The named parts of a path. There are few, so look-up is a walk.
package struct PathParameters: Sendable {
    package let names: [String]
    package let values: [String]

    /// Those of a path without any.
    package static let none = PathParameters(names: [], values: [])

    package subscript(name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
}

/// The tree of the patterns; each endpoint is known by its number. Apart from `Router`, so that none of this is generic.
private struct PathTree: Sendable {
    private struct Node: Sendable {
        var literals: [(segment: [UInt8], child: Int)] = []
        var parameter: Int?
        var endpoints: [Endpoint] = []

        func child(named segment: some Collection<UInt8>) -> Int? {
            literals.first { $0.segment.count == segment.count && $0.segment.elementsEqual(segment) }?.child
        }
    }

    private struct Endpoint: Sendable {
        let method: String
        let names: [String]
        let number: Int
    }

    private var nodes = [Node()]

    mutating func add(_ method: String, _ pattern: String, number: Int) {
        precondition(pattern.hasPrefix("/"), "a pattern begins with a slash")
        var node = 0
        var names: [String] = []
        for segment in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            if segment.hasPrefix("{"), segment.hasSuffix("}") {
                names.append(String(segment.dropFirst().dropLast()))
                node = child(of: node, for: nil)
            } else {
                node = child(of: node, for: Array(segment.utf8))
            }
        }
        precondition(!nodes[node].endpoints.contains { $0.method == method }, "\(method) \(pattern) was added twice")
        nodes[node].endpoints.append(Endpoint(method: method, names: names, number: number))
    }

    private mutating func child(of node: Int, for literal: [UInt8]?) -> Int {
        let known = literal.map { nodes[node].child(named: $0) } ?? nodes[node].parameter
        if let known { return known }
        nodes.append(Node())
        if let literal {
            nodes[node].literals.append((literal, nodes.count - 1))
        } else {
            nodes[node].parameter = nodes.count - 1
        }
        return nodes.count - 1
    }

    func match(_ method: String, _ path: String) -> Router<Int>.Match {
        guard path.utf8.first == UInt8(ascii: "/") else { return .notFound }
        var path = path
        var values: [String] = []
        guard let node = path.withUTF8({ find($0[...], from: 0, &values) }) else { return .notFound }
        let endpoints = nodes[node].endpoints
        let endpoint =
            endpoints.first { $0.method == method } ?? (method == "HEAD" ? endpoints.first { $0.method == "GET" } : nil)
        guard let endpoint else { return .methodNotAllowed(allow: allowed(endpoints)) }
        return .found(endpoint.number, parameters: PathParameters(names: endpoint.names, values: values))
    }

    /// Finds the node for the rest of a path, which is empty or begins with a slash.
    private func find(_ rest: Slice<UnsafeBufferPointer<UInt8>>, from node: Int, _ values: inout [String]) -> Int? {
        if rest.isEmpty { return nodes[node].endpoints.isEmpty ? nil : node }
        let tail = rest.dropFirst()
        let end = tail.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let segment = tail[..<end]
        if let child = nodes[node].child(named: segment), let found = find(rest[end...], from: child, &values) {
            return found
        }
        guard let child = nodes[node].parameter, !segment.isEmpty else { return nil }
        values.append(String(decoding: segment, as: UTF8.self))
        if let found = find(rest[end...], from: child, &values) { return found }
        values.removeLast()
        return nil
    }

    private func allowed(_ endpoints: [Endpoint]) -> [String] {
        let methods = Set(endpoints.map(\.method))
        return methods.union(methods.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"]).sorted()
    }
}
