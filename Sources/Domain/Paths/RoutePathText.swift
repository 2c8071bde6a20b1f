// Reads and writes paths in content, as an array of [latitude, longitude, elevation], and in forms, one point per line.

extension RoutePath {
    /// Reads `[[51.50415, -0.15312, 23], …]`; the elevation is optional.
    package init(reading value: JSONValue) throws(PathProblem) {
        guard let array = value.arrayValue else { throw .format(line: 1) }
        if array.count > Self.pointLimits.upperBound { throw .manyPoints(array.count) }
        var points: [RoutePoint] = []
        points.reserveCapacity(array.count)
        for (index, value) in array.enumerated() {
            let numbers = value.arrayValue?.compactMap(\.doubleValue) ?? []
            guard (2...3).contains(numbers.count), numbers.count == value.arrayValue?.count,
                let point = RoutePoint(
                    latitude: numbers[0], longitude: numbers[1], elevation: numbers.count == 3 ? numbers[2] : nil)
            else { throw .format(line: index + 1) }
            points.append(point)
        }
        try self.init(points: points)
    }

    package var json: JSONValue {
        .array(
            points.map { point in
                let coordinates = [JSONValue.number(point.latitude), .number(point.longitude)]
                return .array(coordinates + (point.elevation.map { [.number($0)] } ?? []))
            })
    }

    /// The points of a form: numbers separated by spaces, commas or semicolons. Nil if any line is something else, or if there are
    /// more than `most`; the caller then keeps the text as typed.
    package static func points(fromForm text: String, most: Int = .max - 1) -> JSONValue? {
        // By code points: characters take many times as long.
        let lines = text.unicodeScalars.split(maxSplits: most + 1, whereSeparator: isLineEnd)
        if lines.count > most { return nil }
        var points: [JSONValue] = []
        for line in lines {
            let parts = line.split { $0.properties.isWhitespace || $0 == "," || $0 == ";" }
            if parts.isEmpty { continue }
            let numbers = parts.map { Double(Substring($0)) }
            guard parts.count <= 3, numbers.allSatisfy({ $0?.isFinite == true }) else { return nil }
            points.append(.array(numbers.compactMap { $0.map(JSONValue.number) }))
        }
        return points.isEmpty ? nil : .array(points)
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA...0xD, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// The text of a form for a path.
    package static func formText(of value: JSONValue) -> String {
        guard let points = value.arrayValue else { return value.stringValue ?? value.canonicalText }
        return points.map { point in
            point.arrayValue?.map(\.canonicalText).joined(separator: " ") ?? point.canonicalText
        }.joined(separator: "\n")
    }
}
