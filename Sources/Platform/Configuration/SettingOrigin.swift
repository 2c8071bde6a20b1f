// Names the source of a configuration value, for `config show --origin`.

package enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
    /// A command-line option.
    case flag
    case environment(variable: String)
    /// The file named by an environment variable.
    case secretFile(variable: String)
    case file(path: String, line: Int)
    case fallback

    package var description: String {
        switch self {
        case .flag: "command line"
        case .environment(let variable): "environment \(variable)"
        case .secretFile(let variable): "file named by \(variable)"
        case .file(let path, let line): "\(path):\(line)"
        case .fallback: "default"
        }
    }
}
