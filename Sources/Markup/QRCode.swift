// Encodes text as a QR code for an SVG path.
import CQRCode

package struct QRCode: Sendable {
    /// The quiet zone that readers require, in modules.
    private static let edge = 4

    /// The number of modules per side, including the quiet zone.
    package let size: Int
    /// The `d` attribute of an SVG path with all dark modules.
    package let path: String

    /// Nil if the text is too long for a QR code.
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
