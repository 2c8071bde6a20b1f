// Locates the program and the files that come with it (Config, Templates).
import FoundationEssentials

package struct ProgramLocation: Sendable {
    /// Absolute.
    package var workingDirectory: String
    /// The directory of the executable, absolute.
    package var programDirectory: String

    package init(workingDirectory: String, programDirectory: String) {
        self.workingDirectory = workingDirectory
        self.programDirectory = programDirectory
    }

    package static var current: ProgramLocation {
        let files = FileManager.default
        let program = (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let directory = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? files.currentDirectoryPath
        return ProgramLocation(workingDirectory: files.currentDirectoryPath, programDirectory: directory)
    }

    /// Where files that come with the program are searched; the first folder that has a file wins: the working directory,
    /// the folder of the program, the checkout around its build directory, and ../share/vitrine of an installed program.
    package var folders: [String] {
        let checkout = programDirectory.components(separatedBy: "/.build/").first { $0 != programDirectory }
        let parent = programDirectory.lastIndex(of: "/").map { String(programDirectory[..<$0]) } ?? ""
        let folders = [workingDirectory, programDirectory, checkout, "\(parent)/share/vitrine"].compactMap { $0 }
        return folders.enumerated().filter { folders[..<$0.offset].contains($0.element) == false }.map(\.element)
    }

    /// The absolute path of a file or directory that comes with the program.
    package func find(_ path: String) -> String? {
        if path.hasPrefix("/") { return exists(path) ? path : nil }
        return folders.map { $0 == "/" ? "/\(path)" : "\($0)/\(path)" }.first { exists($0) }
    }

    /// Resolves a path of the operator against the working directory.
    package func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)"
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }
}
