// An error in an HLS playlist: its line and message.
import Localization

package struct HLSProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let sentence: String

    package init(line: Int, sentence: String) {
        self.line = line
        self.sentence = sentence
    }

    package var description: String { tr("line \(line): \(sentence)", context: "hlsproblem") }
}
