// Why a server could not start, in sentences for the operator.

/// A failure of `Server.start()`.
package enum ServerError: Error, Equatable, CustomStringConvertible {
    case portBusy(host: String, port: Int)
    case notPermitted(host: String, port: Int)
    case unknownHost(String)
    case system(call: String, errno: Int32, message: String)

    package var description: String {
        switch self {
        case .portBusy(let host, let port):
            "Port \(port) on \(host) is in use by another program. Stop it or choose another port."
        case .notPermitted(let host, let port):
            "Listening on port \(port) of \(host) is not permitted. Ports below 1024 need a privilege."
        case .unknownHost(let host):
            "\(host) is not an address of this machine."
        case .system(let call, _, let message):
            "The server could not start: \(call) failed: \(message)."
        }
    }
}
