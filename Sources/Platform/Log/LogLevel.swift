// Defines log levels and formats.

package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

package enum LogFormat: String, Sendable, CaseIterable {
    /// `2026-07-01T12:00:00.123Z info server started port=8080`
    case text
    /// `{"time":"...","level":"info","event":"server started","port":8080}`
    case json
}
