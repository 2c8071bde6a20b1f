// The part of an image that is shown: its files contain nothing else.

/// A rectangle in thousandths of the width and height of the whole image; integers, so that equality is exact.
package struct ImageCrop: Sendable, Equatable {
    package static let whole = ImageCrop(left: 0, top: 0, right: 1000, bottom: 1000)
    /// The least width and height: 1%.
    package static let minimum = 10

    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int

    /// Nil if it is smaller than the minimum or not inside the image.
    package init?(x: Int, y: Int, width: Int, height: Int) {
        let valid = 0...1000
        guard valid.contains(x), valid.contains(y), valid.contains(width), valid.contains(height),
            width >= Self.minimum, height >= Self.minimum, x + width <= 1000, y + height <= 1000
        else { return nil }
        self.init(left: x, top: y, right: x + width, bottom: y + height)
    }

    private init(left: Int, top: Int, right: Int, bottom: Int) {
        (x, y, width, height) = (left, top, right - left, bottom - top)
    }

    /// A point of the whole image as one of the crop; outside of it, the nearest one.
    package func inside(_ point: FocalPoint) -> FocalPoint {
        func part(_ value: Int, _ start: Int, _ length: Int) -> Int {
            min(1000, max(0, ((value - start) * 1000 + length / 2) / length))
        }
        return FocalPoint(x: part(point.x, x, width), y: part(point.y, y, height)) ?? .middle
    }

    /// A point of the crop as one of the whole image.
    package func outside(_ point: FocalPoint) -> FocalPoint {
        FocalPoint(x: x + (point.x * width + 500) / 1000, y: y + (point.y * height + 500) / 1000) ?? .middle
    }
}
