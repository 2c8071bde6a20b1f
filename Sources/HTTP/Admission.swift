// What the head of a request says about its sender.

/// Asked for before a large body is read.
package enum Admission: Sendable {
    case known
    /// Anyone may send this, or it is not clear who does.
    case unknown
    /// The response to send instead of reading the body.
    case refused(Response)

    package var refusal: Response? {
        if case .refused(let response) = self { return response }
        return nil
    }
}
