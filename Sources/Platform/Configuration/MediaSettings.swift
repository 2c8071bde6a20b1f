// The settings of the media library.

extension Settings {
    /// Limits of images, and the folder or bucket of their files.
    package struct Media: Sendable {
        /// Ends in a slash; nil: /media/ at the public URL.
        package let baseURL: String?
        /// Nil: the folder `media` in the data folder.
        package let folder: String?
        package let maxBytes: Int
        package let maxPixels: Int
        package let cpuSeconds: Int
        package let vectorCPUSeconds: Int
        package let memoryMegabytes: Int
        package let widths: [Int]
        package let concurrency: Int
        package let bucket: Bucket?
        package let fetch: Fetch

        package struct Bucket: Sendable {
            package let endpoint: String
            package let name: String
            package let region: String
            package let keyID: String
            package let secret: Secret
            /// Whether the endpoint may be an internal host.
            package let allowsPrivate: Bool
        }

        init(_ read: SettingsReader) {
            let base = read.optionalText(
                "media.base_url", "Base URL of images for apps. Default: /media/ at public.url.")
            baseURL = base.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
            folder = read.optionalText("media.folder", "Folder of images. Default: media in the data folder.")
                .map(read.location.absolute)
            maxBytes = read.integer("media.max_bytes", 10 << 20, 1024...(100 << 20), "Largest image upload in bytes.")
            maxPixels = read.integer("media.max_pixels", 25_000_000, 1...250_000_000, "Most pixels of an image.")
            cpuSeconds = read.integer("media.cpu_seconds", 20, 1...600, "CPU seconds to decode one image.")
            vectorCPUSeconds = read.integer(
                "media.vector_cpu_seconds", 2, 1...600, "CPU seconds to draw one SVG image.")
            memoryMegabytes = read.integer("media.memory_mb", 1024, 256...16_384, "Memory to decode one image, in MB.")
            let list = read.text("media.widths", "320 640 1024 1600", "Widths of image renditions.")
            let texts = list.split { $0 == " " || $0 == "," }
            widths = texts.compactMap { Int($0) }.filter { (1...16_384).contains($0) }
            if widths.count != texts.count || widths.count > 12 {
                read.refuse("media.widths", "must be at most 12 numbers from 1 to 16384, such as \"320 640 1024\"")
            }
            concurrency = read.integer("media.concurrency", 2, 1...64, "Images decoded at the same time.")
            bucket = Bucket.read(read)
            fetch = Fetch(read)
        }
    }
}
