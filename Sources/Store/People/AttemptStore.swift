// Counts attempts against limits: sign-ins, codes, requests for mails, guessed links. The database counts, so that restarts,
// other daemons and parallel requests change nothing.
import Domain
import Localization

/// At most `most` attempts of `subject` (an account, a network) within the window.
package struct AttemptLimit: Sendable {
    package let subject: String
    package let most: Int

    package init(_ subject: String, most: Int) {
        self.subject = subject
        self.most = most
    }

    /// Limits for all networks of an address; `most` is the limit of one client.
    package static func networks(of address: String, _ prefix: String = "address", most: Int) -> [AttemptLimit] {
        ClientNetwork.all(of: address).map { AttemptLimit("\(prefix):\($0.name)", most: most * $0.clients) }
    }
}

/// An attempt that was counted. It stays counted unless it is forgiven.
package struct CountedAttempt: Sendable {
    fileprivate let subjects: [String]
    /// As PostgreSQL writes it, because a `Date` is less exact.
    fileprivate let countedAt: String
    /// Those of its subjects that had failed before, within the window.
    package let failed: [String]
}

/// A limit is reached; the attempt was not counted.
package struct TooManyAttempts: Error {
    package let retryAfterSeconds: Int

    /// For actions whose refusal is shown with their form.
    package var failure: Failure {
        let minutes = (retryAfterSeconds + 59) / 60
        return .refused(
            code: "too_many_attempts", message: tr("Too many attempts. Try again in \(minutes) minutes."))
    }
}

package struct AttemptStore: Sendable {
    let connection: StoreConnection

    /// Counts an attempt that is never forgiven. Throws `TooManyAttempts.failure`.
    package func admit(_ limits: [AttemptLimit], minutes: Int) async throws {
        do {
            _ = try await count(limits, minutes: minutes)
        } catch let error as TooManyAttempts {
            throw error.failure
        }
    }

    /// Counts an attempt against all limits, or none if one is reached. Attempts with a subject in common are counted one
    /// after the other: parallel ones can't exceed a limit. Throws `TooManyAttempts`.
    package func count(_ limits: [AttemptLimit], minutes: Int) async throws -> CountedAttempt {
        let subjects = limits.map(\.subject)
        let row = try await connection.first(
            """
            select counted_at::text as counted_at, wait_seconds, coalesce(failed, '{}') as failed
            from ops.count_attempt(\(subjects)::text[], \(limits.map(\.most))::integer[], \(minutes)::integer)
            """
        ) {
            (
                countedAt: try $0("counted_at") as String?, wait: try $0("wait_seconds") as Int?,
                failed: try $0("failed") as [String]
            )
        }
        guard let row, let countedAt = row.countedAt else {
            throw TooManyAttempts(retryAfterSeconds: max(row?.wait ?? minutes * 60, 1))
        }
        return CountedAttempt(subjects: subjects, countedAt: countedAt, failed: row.failed)
    }

    /// Forgets an attempt that succeeded, and the earlier failures of the subjects `clearing`.
    package func forgive(_ attempt: CountedAttempt, clearing subjects: [String] = []) async throws {
        try await connection.run(
            """
            delete from ops.sign_in_failure
            where subject = any(\(attempt.subjects)::text[]) and failed_at = \(attempt.countedAt)::timestamptz
               or subject = any(\(subjects)::text[])
            """)
    }

    package func clear(_ subjects: [String]) async throws {
        try await connection.run("delete from ops.sign_in_failure where subject = any(\(subjects)::text[])")
    }
}
