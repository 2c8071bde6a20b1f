// One sending of a form: what the transactions of a request belong to.

/// A form that somebody sent. While it is `current`, the transactions of this task belong to it.
package struct FormPost: Sendable {
    @TaskLocal package static var current: FormPost?

    /// 32 bytes: the same for the same input of the same page by the same account.
    package let key: [UInt8]
    package let requestID: String

    package init(key: [UInt8], requestID: String) {
        self.key = key
        self.requestID = requestID
    }
}

/// Another request has carried out the same form.
package struct RepeatedFormPost: Error {}
