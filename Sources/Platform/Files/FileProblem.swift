// Explains errors of the file system, which describe themselves by codes only.
import FoundationEssentials

package enum FileProblem {
    /// A sentence that names the file and what to do, such as `/etc/x does not exist. Check the path.`
    package static func sentence(for error: CocoaError) -> String {
        let path = error.filePath ?? error.url?.path ?? "a file"
        return switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "\(path) does not exist. Check the path in the configuration."
        case .fileReadNoPermission, .fileWriteNoPermission:
            "This user may not access \(path). Check its owner and permissions."
        case .fileWriteOutOfSpace: "No space is left for \(path)."
        case .fileWriteVolumeReadOnly: "\(path) is on a read-only file system."
        default: "\(path) can't be read or written."
        }
    }
}
