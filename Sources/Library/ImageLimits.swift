// How large an image may be, and what decoding one may cost.

package struct ImageLimits: Sendable {
    /// Of the upload.
    package let bytes: Int
    package let pixels: Int
    /// Of processor time; twice as many pass on the clock before it is ended.
    package let seconds: Int
    /// In MiB, of address space.
    package let memory: Int
    /// Of the files beside the full one; what is wider than the image is left out.
    package let widths: [Int]
    /// How many images are decoded at the same time.
    package let atOnce: Int

    package init(
        bytes: Int = 10 << 20, pixels: Int = 25_000_000, seconds: Int = 20, memory: Int = 1024,
        widths: [Int] = [320, 640, 1024, 1600], atOnce: Int = 2
    ) {
        self.bytes = bytes
        self.pixels = pixels
        self.seconds = seconds
        self.memory = memory
        self.widths = widths
        self.atOnce = atOnce
    }
}
