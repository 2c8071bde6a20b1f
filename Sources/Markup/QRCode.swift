// A text as a QR code: the outline that an SVG element draws.
import CQRCode

package struct QRCode: Sendable {
    /// The light edge that readers need, in modules.
    private static let edge = 4

    /// How many modules a side has, with the edge.
    package let size: Int
    /// Draws all dark modules: for the `d` of a path.
    package let path: String

    /// Nil when the text is too long for any code.
    package init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let modules = code.pointee.data else { return nil }
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let first = column
                while column < width, modules[row * width + column] & 1 == 1 { column += 1 }
                if column > first {
                    path += "M\(first + Self.edge) \(row + Self.edge)h\(column - first)v1h-\(column - first)z"
                }
                column += 1
            }
        }
        size = width + 2 * Self.edge
        self.path = path
    }
}
