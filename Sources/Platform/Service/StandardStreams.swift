// Makes standard input, output and error safe to own for a long-running process.
import CSystem

enum StandardStreams {
    /// If one of them is closed, the next socket to be opened would take its number, and log lines would be written to
    /// the database. So closed ones become /dev/null. And a reader that went away must not end the process (R28).
    static func secure() {
        while true {
            let descriptor = csystem_open_nothing()
            guard (0...STDERR_FILENO).contains(descriptor) else {
                if descriptor >= 0 { close(descriptor) }
                break
            }
        }
        csystem_ignore_broken_pipes()
    }
}
