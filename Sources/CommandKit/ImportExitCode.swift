// The exit code of commands that import rows, entries or files.
import Platform

extension ExitCode {
    /// `taken` counts new, changed and already imported ones. Without any, nothing was imported.
    package static func ofImport(taken: Int, refused: Int) -> ExitCode {
        if taken == 0 { return .conflict }
        return refused == 0 ? .ok : .partial
    }
}
