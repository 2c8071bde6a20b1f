// The limits of image uploads and of decoding them.

package struct ImageLimits: Sendable {
    /// The size of the upload.
    package let bytes: Int
    package let pixels: Int
    /// CPU time; the process is killed after twice as many seconds of elapsed time, plus 5.
    package let seconds: Int
    /// The same for vector images, of which a short file can take any time to draw.
    package let vectorSeconds: Int
    /// Address space in MiB.
    package let memory: Int
    /// Widths of the files besides the full-size one; widths above the image's own are skipped.
    package let widths: [Int]
    /// How many images are decoded at the same time.
    package let concurrency: Int

    package init(
        bytes: Int = 10 << 20, pixels: Int = 25_000_000, seconds: Int = 20, vectorSeconds: Int = 2, memory: Int = 1024,
        widths: [Int] = [320, 640, 1024, 1600], concurrency: Int = 2
    ) {
        self.bytes = bytes
        self.pixels = pixels
        self.seconds = seconds
        self.vectorSeconds = vectorSeconds
        self.memory = memory
        self.widths = widths
        self.concurrency = concurrency
    }
}
