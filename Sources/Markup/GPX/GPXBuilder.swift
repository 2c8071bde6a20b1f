// Builds the lines of a GPX file from the events of libxml2; stops at the first error.
import CXML2
import Localization

final class GPXBuilder {
    private(set) var document = GPXDocument()
    private(set) var error: GPXError?
    private(set) var isGPX = false
    /// Set while libxml2 parses: stops the parser, and returns its current line.
    var stop: () -> Void = {}
    var line: () -> Int? = { nil }

    /// Local names of the open elements. Ignores namespaces, to accept GPX 1.0, 1.1 and files without a declared
    /// version.
    private var open: [String] = []
    private var text: [UInt8] = []
    private var point: (latitude: Double, longitude: Double, elevation: Double?)?
    private var points = 0

    func start(
        _ local: UnsafePointer<xmlChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
    ) {
        guard error == nil else { return }
        let name = local.map { String(cString: $0) } ?? ""
        if open.isEmpty { isGPX = name == "gpx" }
        open.append(name)
        text.removeAll(keepingCapacity: true)
        switch name {
        case "trk" where open.count == 2: add(.track)
        case "rte" where open.count == 2: add(.route)
        case "trkseg" where open.count == 3: changeLast { $0.segments += 1 }
        case "trkpt" where open.count == 4 && open[1] == "trk": readPoint(attributes, count)
        case "rtept" where open.count == 3 && open[1] == "rte": readPoint(attributes, count)
        case "wpt" where open.count == 2: document.waypoints += 1
        case "link" where open == ["gpx", "trk", "link"] || open == ["gpx", "rte", "link"]:
            addLink(Self.attribute("href", attributes, count) ?? "")
        default: break
        }
    }

    func end() {
        guard error == nil, let name = open.popLast() else { return }
        let isOfPoint = open.last == "trkpt" || open.last == "rtept"
        switch name {
        case "ele" where isOfPoint: readElevation()
        case "trkpt", "rtept": endPoint()
        case "name" where open == ["gpx", "metadata"] || open == ["gpx"]: document.name = content
        case "name" where open == ["gpx", "trk"] || open == ["gpx", "rte"]:
            let name = content
            changeLast { $0.name = name }
        case "desc" where open == ["gpx", "trk"] || open == ["gpx", "rte"]:
            let cut = content
            changeLast { $0.summary = cut }
        // GPX 1.0
        case "url" where open == ["gpx", "trk"] || open == ["gpx", "rte"]: addLink(content)
        default: break
        }
        text.removeAll(keepingCapacity: true)
    }

    func characters(_ characters: UnsafePointer<xmlChar>?, _ count: Int) {
        guard error == nil, text.count < GPXLimits.textBytes else { return }
        text.append(contentsOf: UnsafeBufferPointer(start: characters, count: count).prefix(GPXLimits.textBytes))
    }

    func refuseDoctype() {
        refuse(.doctype, tr("The file contains a document type declaration, which is not allowed in GPX."))
    }

    func report(_ problem: UnsafeMutablePointer<xmlError>?) {
        guard let problem = problem?.pointee, problem.level == XML_ERR_FATAL, error == nil else { return }
        error = GPXError(
            code: .malformed, message: tr("The file is not well-formed XML."),
            line: problem.line > 0 ? Int(problem.line) : nil)
    }

    // MARK: Points

    private func add(_ kind: GPXDocument.Line.Kind) {
        guard document.lines.count < GPXLimits.lines else {
            return refuse(.limit, tr("The file has more than \(GPXLimits.lines) tracks and routes."))
        }
        document.lines.append(GPXDocument.Line(kind: kind))
    }

    private func changeLast(_ change: (inout GPXDocument.Line) -> Void) {
        guard !document.lines.isEmpty else { return }
        change(&document.lines[document.lines.count - 1])
    }

    private func addLink(_ url: String) {
        changeLast { if $0.link.isEmpty { $0.link = url } }
    }

    private static func attribute(
        _ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
    ) -> String? {
        for index in 0..<count {
            // Five pointers each: local name, prefix, namespace, start and end of the value.
            guard let field = attributes?.advanced(by: 5 * index), let local = field[0], let start = field[3],
                let end = field[4], String(cString: local) == name
            else { continue }
            let value = UnsafeBufferPointer(start: start, count: end - start).prefix(GPXLimits.textBytes)
            // As libxml2 passes an `&` of a value.
            return String(decoding: value, as: UTF8.self).replacing("&#38;", with: "&")
        }
        return nil
    }

    private func readPoint(_ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int) {
        guard let latitude = Self.attribute("lat", attributes, count).flatMap(Self.number),
            (-90...90).contains(latitude)
        else {
            return refuse(.number, tr("The point must have a latitude between -90 and 90."))
        }
        guard let longitude = Self.attribute("lon", attributes, count).flatMap(Self.number),
            (-180...180).contains(longitude)
        else {
            return refuse(.number, tr("The point must have a longitude between -180 and 180."))
        }
        points += 1
        guard points <= GPXLimits.points else {
            return refuse(.limit, tr("The file has more than \(GPXLimits.points) points."))
        }
        point = (latitude, longitude, nil)
    }

    /// Ignores placeholders for unknown elevations, such as -32768 or NaN.
    private func readElevation() {
        let written = content
        guard !written.isEmpty else { return }
        guard let number = Self.number(written) ?? Self.placeholder(written) else {
            return refuse(.number, tr("The elevation \"\(written.prefix(40))\" is not a number."))
        }
        if (-500...9000).contains(number) { point?.elevation = number }
    }

    private func endPoint() {
        guard let read = point else { return }
        point = nil
        changeLast {
            $0.points.append(
                GPXDocument.Point(latitude: read.latitude, longitude: read.longitude, elevation: read.elevation))
        }
    }

    /// Decimal notation with a point, as the format requires; there may be no digit after it.
    private static func number(_ text: String) -> Double? {
        var bytes = Array(text.trimmed.utf8)
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        return DecimalNotation(bytes).flatMap { $0.separator == .comma ? nil : $0.value }
    }

    /// What programs write for a number that they don't know.
    private static func placeholder(_ text: String) -> Double? {
        ["nan", "-nan", "inf", "-inf", "infinity", "-infinity"].contains(text.lowercased()) ? Double.nan : nil
    }

    private var content: String { String(decoding: text, as: UTF8.self).trimmed }

    private func refuse(_ code: GPXError.Code, _ message: String) {
        error = GPXError(code: code, message: message, line: line())
        stop()
    }
}

extension String {
    /// Without surrounding white space.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
