// Carries out a form that creates something once, however often it is submitted.
import Domain
import HTTP
import Localization
import Store
import Synchronization

/// The database knows which forms were carried out, and where they led (`FormPostStore`). Beside it, this process keeps pages
/// that were the response for a minute: they show a secret, which is stored nowhere.
final class FormPosts: Sendable {
    private struct Run {
        let response: Task<Response, any Error>
        let startedAt: ContinuousClock.Instant
    }

    private static let kept: Duration = .seconds(60)
    private static let maximumKept = 100

    /// A process stores where its response led after the transaction that created something: others wait for it.
    private static let maximumPauses = 10
    private static let pause: Duration = .milliseconds(200)

    private let runs = Mutex<[[UInt8]: Run]>([:])

    /// The response of the form: of the first request that sent it.
    func response(
        to post: FormPost, of request: Request, _ database: Database,
        _ handler: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        let task = runs.withLock { runs -> Task<Response, any Error> in
            let now = ContinuousClock.now
            runs = runs.filter { now - $0.value.startedAt < Self.kept }
            if let run = runs[post.key] { return run.response }
            if runs.count >= Self.maximumKept, let oldest = runs.min(by: { $0.value.startedAt < $1.value.startedAt }) {
                runs[oldest.key] = nil
            }
            let task = Task { try await Self.carryOut(post, request, database, handler) }
            runs[post.key] = Run(response: task, startedAt: now)
            return task
        }
        // Others may wait for the same run, so it ends although this client leaves.
        request.runToEnd()
        do {
            let response = try await task.value
            // The database remembers where it led.
            if !(200..<300).contains(response.status) { forget(post) }
            return response
        } catch {
            forget(post)
            throw error
        }
    }

    private func forget(_ post: FormPost) {
        runs.withLock { $0[post.key] = nil }
    }

    private static func carryOut(
        _ post: FormPost, _ request: Request, _ database: Database, _ handler: @Sendable () async throws -> Response
    ) async throws -> Response {
        if let earlier = try await earlier(post, request, database) { return earlier }
        do {
            let response = try await FormPost.$current.withValue(post) { try await handler() }
            if response.status >= 400 {
                // Refused because the first request has created it meanwhile, or for a reason of its own.
                if let earlier = try await earlier(post, request, database) { return earlier }
                try await database.formPosts.remove(post)
            } else if let url = response.headers["Location"] {
                try await database.formPosts.finish(post, url: url)
            }
            return response
        } catch is RepeatedFormPost {
            if let earlier = try await earlier(post, request, database) { return earlier }
            throw repeated
        } catch {
            if let earlier = try await earlier(post, request, database) { return earlier }
            try? await database.formPosts.remove(post)
            throw error
        }
    }

    /// Leads to where the first request led; nil if there was none. A response that is a page leads nowhere: only the
    /// daemon of the first request has it.
    private static func earlier(_ post: FormPost, _ request: Request, _ database: Database) async throws -> Response? {
        var pauses = 0
        while true {
            let (isKnown, url) = try await database.formPosts.find(post)
            if !isKnown { return nil }
            if let url { return redirect(to: url) }
            if pauses == maximumPauses { throw repeated }
            pauses += 1
            await request.loop.sleep(for: pause)
        }
    }

    private static func redirect(to url: String) -> Response {
        var response = Response.redirect(303, to: url)
        let flash = Flash(tr("You submitted this form twice. It was saved once."))
        if let cookie = flash.cookie { response.setCookie(cookie) }
        return response
    }

    private static var repeated: Failure {
        .conflict(
            code: "repeated",
            message: tr("This form was already submitted. Reload the page to submit it again."))
    }
}
