// Makes the standard streams safe for a long-running process.
import CSystem

enum StandardStreams {
    /// The next socket would reuse the number of a closed stream, and log lines would be written to the database: closed
    /// streams become /dev/null. A reader that has gone away must not end the process (R28).
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
