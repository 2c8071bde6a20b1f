// Which forms have been carried out, so that one submitted twice creates one object.
import Domain
import Postgres

package struct FormPostStore: Sendable {
    let connection: StoreConnection

    /// Reserves the form for its request until the end of the transaction, and for good if it commits. Waits for one of
    /// another request that is open; throws `RepeatedFormPost` if it commits. Forms are remembered for two days.
    func reserve(_ post: FormPost) async throws {
        try await connection.run(
            """
            delete from ops.form_post where key in (select key from ops.form_post
                where sent_at < now() - interval '2 days' order by sent_at limit 20 for update skip locked)
            """)
        let own = try await connection.first(
            """
            insert into ops.form_post as known (key, request_id) values (\(post.key), \(post.requestID))
            on conflict (key) do update set request_id = known.request_id where known.request_id = excluded.request_id
            returning true as own
            """
        ) { try $0("own") as Bool }
        if own == nil { throw RepeatedFormPost() }
    }

    /// Whether another request has carried out the form, and where its response led.
    package func find(_ post: FormPost) async throws -> (isKnown: Bool, url: String?) {
        let found = try await connection.first(
            "select url from ops.form_post where key = \(post.key) and request_id <> \(post.requestID)"
        ) { try $0("url") as String? }
        return (found != nil, found ?? nil)
    }

    package func finish(_ post: FormPost, url: String) async throws {
        try await connection.run(
            "update ops.form_post set url = \(url) where key = \(post.key) and request_id = \(post.requestID)")
    }

    /// Forgets a form that created nothing.
    package func remove(_ post: FormPost) async throws {
        try await connection.run(
            "delete from ops.form_post where key = \(post.key) and request_id = \(post.requestID)")
    }
}
