// The point of an image that stays visible when the image is cropped.

/// In thousandths of the width from the left and of the height from the top; integers, so that equality is exact.
package struct FocalPoint: Sendable, Equatable {
    package static let middle = FocalPoint(thousandths: 500, 500)

    package let x: Int
    package let y: Int

    /// Nil outside 0...1000.
    package init?(x: Int, y: Int) {
        guard (0...1000).contains(x), (0...1000).contains(y) else { return nil }
        self.init(thousandths: x, y)
    }

    private init(thousandths x: Int, _ y: Int) {
        self.x = x
        self.y = y
    }

    /// From 0 to 1, as apps and style sheets use it.
    package var json: JSONValue {
        .object(["x": .number(Double(x) / 1000), "y": .number(Double(y) / 1000)])
    }
}
