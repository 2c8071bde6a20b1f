// Defines the exit codes of the program, a documented interface for scripts.

package enum ExitCode: Int32, Sendable, CaseIterable {
    case ok = 0
    case failure = 1
    /// The command line or configuration is invalid; nothing was done.
    case usage = 2
    case notFound = 3
    /// Someone else changed it first, a rule forbids it, or nothing was imported.
    case conflict = 4
    case permission = 5
    /// Partly done; the messages list what was not.
    case partial = 6
    /// Try again later (EX_TEMPFAIL).
    case temporary = 75
    /// Stopped by Ctrl-C.
    case interrupted = 130
    /// Stopped by a second SIGTERM before completion.
    case terminated = 143
}
