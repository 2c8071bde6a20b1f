// Selects the source or target of a standard stream of a child process.
import CSystem

package enum ChildStream: Sendable {
    /// The stream of this process.
    case inherit
    /// /dev/null.
    case nothing
    /// Appended to; created with mode 0600 if it is missing.
    case file(String)
    /// Opened and closed by the caller.
    case descriptor(Int32)

    struct Opened {
        /// -1 if opening failed.
        let descriptor: Int32
        let error: Int32
        fileprivate let isOwned: Bool

        func closeIfOwned() {
            if isOwned, descriptor >= 0 { close(descriptor) }
        }
    }

    func open(inherited: Int32) -> Opened {
        switch self {
        case .inherit: Opened(descriptor: inherited, error: 0, isOwned: false)
        case .descriptor(let given): Opened(descriptor: given, error: 0, isOwned: false)
        case .nothing: owned(csystem_open_nothing())
        case .file(let path): owned(csystem_open_for_appending(path))
        }
    }

    private func owned(_ descriptor: Int32) -> Opened {
        Opened(descriptor: descriptor, error: descriptor < 0 ? csystem_last_error() : 0, isOwned: true)
    }
}
