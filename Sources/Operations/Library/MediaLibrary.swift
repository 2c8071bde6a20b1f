// The services of the media library as configured; created once by the composition root.
import Domain
import Fetch
import Localization
import Platform
import Store

package struct MediaLibrary: Sendable {
    package let processor: ImageProcessor
    package let files: any MediaFiles
    /// The base URL of file paths; ends in a slash.
    package let baseURL: String
    /// Fetches the playlists of streams: from the public internet only.
    package let streams: FetchClient
    /// The most bytes of all files that are fetched for external images.
    package let fetchBudgetBytes: Int
    /// Uploads that are put together at the same time.
    let uploads: FairLane

    package init(
        processor: ImageProcessor, files: any MediaFiles, baseURL: String, streams: FetchClient = Self.publicStreams,
        fetchBudgetBytes: Int = 10 << 30
    ) {
        self.fetchBudgetBytes = fetchBudgetBytes
        uploads = ImageProcessor.lane(processor.limits)
        self.processor = processor
        self.files = files
        self.baseURL = baseURL
        self.streams = streams
    }

    package static var publicStreams: FetchClient { FetchClient(policy: FetchPolicy(), threads: 2) }

    /// Throws `ConfigurationError` for an invalid bucket endpoint.
    package init(_ settings: Settings, location: ProgramLocation = .current) throws {
        let media = settings.media
        let limits = ImageLimits(
            bytes: media.maxBytes, pixels: media.maxPixels, seconds: media.cpuSeconds,
            vectorSeconds: media.vectorCPUSeconds, memory: media.memoryMegabytes, widths: media.widths,
            concurrency: media.concurrency)
        processor = ImageProcessor(
            path: "\(location.programDirectory)/\(ImageProcessor.program)", limits: limits)
        uploads = ImageProcessor.lane(limits)
        streams = Self.publicStreams
        fetchBudgetBytes = media.fetch.budgetBytes
        baseURL = media.baseURL ?? settings.publicURL + "/media/"
        if let bucket = media.bucket {
            files = try Self.bucket(bucket)
        } else {
            files = MediaFolder(path: media.folder ?? settings.directories.data + "/media")
        }
    }

    private static func bucket(_ settings: Settings.Media.Bucket) throws -> MediaBucket {
        let isPlain = settings.endpoint.hasPrefix("http://")
        let rest = settings.endpoint.dropFirst(isPlain ? 7 : 8)
        let host = rest.hasSuffix("/") ? rest.dropLast() : rest
        guard isPlain && settings.allowsPrivate || settings.endpoint.hasPrefix("https://"),
            !host.isEmpty, !host.contains("/"), let exception = FetchPolicy.Exception(String(host))
        else {
            throw ConfigurationError(problems: [
                tr(
                    "media.s3.endpoint must be an https:// URL, such as https://s3.example.org. "
                        + "Plain http requires media.s3.allow_private.")
            ])
        }
        let port = host.contains(":") ? host.split(separator: ":").last.flatMap { Int($0) } : nil
        let policy = FetchPolicy(
            allowsHTTP: isPlain, ports: [port ?? (isPlain ? 80 : 443)],
            exceptions: settings.allowsPrivate ? [exception] : [])
        return MediaBucket(
            endpoint: settings.endpoint, bucket: settings.name, region: settings.region, keyID: settings.keyID,
            secret: settings.secret, client: FetchClient(policy: policy, threads: 8))
    }

    /// The size of a file, for publications (A40).
    package var fileSize: MediaFileSize {
        { [files] path in
            guard let path = MediaPath(path) else { return nil }
            do {
                return try await files.size(path)
            } catch {
                throw Failure.unavailable("Media storage can't be reached, so nothing was published.")
            }
        }
    }

    /// Why the helper program can't run, for `vitrine doctor`; nil when it can.
    package func problem() async -> String? {
        do {
            _ = try await processor.files(of: [])
            return nil
        } catch Failure.invalid(let errors) where errors.items.first?.code == "empty" {
            return nil
        } catch let failure as Failure {
            return failure.sentence
        } catch {
            return "\(error)"
        }
    }
}
