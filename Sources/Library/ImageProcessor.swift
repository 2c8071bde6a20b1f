// Makes files of an upload, by the helper program: this process never decodes an image itself (S51).
import Dispatch
import Domain
import Platform

package final class ImageProcessor: Sendable {
    /// The helper's own name, beside the program.
    package static let program = "vitrine-media"

    package let limits: ImageLimits
    private let path: String
    private let turns: Limiter

    /// `path` is that of the helper.
    package init(path: String, limits: ImageLimits) {
        self.path = path
        self.limits = limits
        turns = Limiter(limits.atOnce)
    }

    /// Throws `Failure.invalid` at /file with the reason when the upload is no image that is taken.
    package func files(of upload: [UInt8]) async throws -> ImageFiles {
        if upload.count > limits.bytes {
            throw Self.refusal(
                "too_large", "The file has \(upload.count) bytes; at most \(limits.bytes) are taken. Make it smaller.")
        }
        await turns.take()
        defer { turns.give() }
        let exchange = ChildExchange(
            program: path,
            arguments: [
                String(limits.memory), String(limits.seconds), String(limits.pixels),
                limits.widths.sorted().map(String.init).joined(separator: ","),
            ],
            input: upload, answerLimit: answerLimit, deadline: .seconds(limits.seconds * 2 + 5))
        let outcome: ChildExchange.Outcome
        do {
            outcome = try await withCheckedThrowingContinuation { caller in
                DispatchQueue.global().async { caller.resume(with: Result { try exchange.run() }) }
            }
        } catch let error as ChildProcess.SpawnError {
            throw Failure.unavailable("Images cannot be read now: \(error)")
        }
        return try read(outcome)
    }

    /// More than any image of the allowed pixels needs, in all widths together: four bytes a pixel, twice.
    private var answerLimit: Int { limits.pixels * 8 + 1 << 20 }

    private func read(_ outcome: ChildExchange.Outcome) throws -> ImageFiles {
        switch outcome {
        case .answer(let bytes, exitCode: 0): return try ImageResponse(bytes).files()
        case .answer(_, exitCode: 64), .answer(_, exitCode: 71):
            throw Failure.unavailable("The program that reads images cannot be run as it is configured.")
        case .answer, .late, .tooLong:
            throw Self.refusal(
                "too_costly",
                "Reading this image takes more time or memory than is allowed. Save it anew, smaller, and upload that."
            )
        }
    }

    static func refusal(_ code: String, _ message: String) -> Failure {
        .invalid(FieldErrors("/file", code, message))
    }
}
