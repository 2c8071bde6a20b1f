// Why a text is no HLS playlist: the line and what is wrong with it, for people.

package struct HLSProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let sentence: String

    package init(line: Int, sentence: String) {
        self.line = line
        self.sentence = sentence
    }

    package var description: String { "line \(line): \(sentence)" }
}
