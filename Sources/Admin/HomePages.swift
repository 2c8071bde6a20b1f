// The start page: leads to the queue, where curators spend their day.
import HTTP

enum HomePages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/", access: .may(.readQueue)) { request in
            request.redirect(to: "/queue", request.flash)
        }
    ]
}
