// What the program tells the shell when it ends; documented, so that scripts can rely on it.

package enum ExitCode: Int32, Sendable, CaseIterable {
    case ok = 0
    case failure = 1
    /// The command line or the configuration was wrong; nothing was done.
    case usage = 2
    case notFound = 3
    /// Someone else changed it first, or a rule forbids it as things are.
    case conflict = 4
    case permission = 5
    /// Some of it was done; the messages say what was not.
    case partial = 6
    /// Try again later (EX_TEMPFAIL).
    case temporary = 75
    /// Stopped by Ctrl-C.
    case interrupted = 130
    /// Stopped by a second SIGTERM before the work was finished.
    case terminated = 143
}
