// Where the value of a configuration key came from, for `config show --origin`.

package enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
    /// An option of the command line.
    case flag
    case environment(variable: String)
    /// The file that this environment variable names.
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
