// The start page: redirects to the queue.
import HTTP

enum HomePages {
    static let endpoints = [
        AdminEndpoint(method: "GET", pattern: "/", access: .may(.readQueue)) { request in
            request.redirect(to: "/queue", request.flash)
        }
    ]
}
