// Re-encodes an upload in the helper program: this process never decodes an image itself (S51).
import Dispatch
import Domain
import Localization
import Platform

package final class ImageProcessor: Sendable {
    /// The name of the helper program, in the same directory as this program.
    package static let program = "vitrine-media"

    package let limits: ImageLimits
    private let path: String
    /// The images that are decoded, and the ones that wait.
    package let lane: FairLane

    /// `path` is the path of the helper.
    package init(path: String, limits: ImageLimits) {
        self.path = path
        self.limits = limits
        lane = Self.lane(limits)
    }

    /// A lane for as many images as are decoded at the same time. What is refused can be sent again.
    static func lane(_ limits: ImageLimits) -> FairLane {
        FairLane(width: limits.concurrency, waiting: 32, longestWait: .seconds(30))
    }

    /// Runs `work` when it is the current caller's turn. Throws `Failure.unavailable` if it can't be in time.
    static func run<Value: Sendable>(
        in lane: FairLane, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await lane.run(work)
        } catch is WorkersBusy {
            throw Failure.unavailable("Too many images are being processed. Try again in a moment.")
        }
    }

    /// The files of this part of the image. Throws `Failure.invalid` at /file with the reason when the upload is not an accepted
    /// image.
    package func files(of upload: [UInt8], crop: ImageCrop = .whole) async throws -> ImageFiles {
        if upload.count > limits.bytes {
            throw Self.refusal(
                "too_large",
                tr("The file has \(upload.count) bytes; the limit is \(limits.bytes). Upload a smaller file."))
        }
        return try await encoded(upload, widths: limits.widths, crop)
    }

    /// The size of an image, such as a stored file. Throws `Failure.invalid` at /file for what can't be uploaded.
    package func size(of image: [UInt8]) async throws -> (width: Int, height: Int) {
        guard let whole = try await encoded(image, widths: [], .whole).files.last else {
            throw ImageResponse.unreadable
        }
        return (whole.width, whole.height)
    }

    private func encoded(_ upload: [UInt8], widths: [Int], _ crop: ImageCrop) async throws -> ImageFiles {
        let seconds = Self.mayBeVector(upload) ? min(limits.seconds, limits.vectorSeconds) : limits.seconds
        let exchange = ChildExchange(
            program: path,
            arguments: [
                String(limits.memory), String(seconds), String(limits.pixels),
                widths.sorted().map(String.init).joined(separator: ","),
                [crop.x, crop.y, crop.width, crop.height].map(String.init).joined(separator: ","),
            ],
            input: upload, responseLimit: responseLimit, deadline: .seconds(seconds * 2 + 5))
        let outcome: ChildExchange.Outcome = try await Self.run(in: lane) {
            do {
                return try await withCheckedThrowingContinuation { caller in
                    DispatchQueue.global().async { caller.resume(with: Result { try exchange.run() }) }
                }
            } catch let error as ChildProcess.SpawnError {
                throw Failure.unavailable("Images can't be processed. Try again later.", cause: "\(error)")
            }
        }
        return try read(outcome)
    }

    /// Whether the helper may draw the file: what it takes for markup begins with `<`, after a byte order mark and white space.
    private static func mayBeVector(_ upload: [UInt8]) -> Bool {
        let text = upload.starts(with: [0xEF, 0xBB, 0xBF]) ? upload.dropFirst(3) : upload[...]
        return text.first { $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "<")
    }

    /// An upper bound for all files of an image with the most pixels: four bytes per pixel, twice.
    private var responseLimit: Int { limits.pixels * 8 + 1 << 20 }

    private func read(_ outcome: ChildExchange.Outcome) throws -> ImageFiles {
        switch outcome {
        case .response(let bytes, exitCode: 0): return try ImageResponse(bytes).files()
        case .response(_, exitCode: 64), .response(_, exitCode: 71):
            throw Failure.unavailable("The image helper can't run with the configured limits.")
        case .response, .timedOut, .tooLarge:
            throw Self.refusal(
                "too_costly",
                tr("Processing this image exceeds the time or memory limit. Upload a smaller image.")
            )
        }
    }

    static func refusal(_ code: String, _ message: String) -> Failure {
        .invalid(FieldErrors("/file", code, message))
    }
}
