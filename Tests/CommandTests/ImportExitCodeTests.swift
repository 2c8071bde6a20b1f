// Tests the exit code that all commands share that import something.
import CommandKit
import Platform
import Testing

@Suite("Exit codes of imports")
struct ImportExitCodeTests {
    @Test(
        "What was imported before counts as imported; refused ones and nothing at all are reported",
        arguments: [
            (0, 0, .conflict), (0, 1, .conflict), (1, 0, .ok), (1, 1, .partial), (20, 1, .partial), (1, 20, .partial),
        ] as [(Int, Int, ExitCode)])
    func table(taken: Int, refused: Int, code: ExitCode) {
        #expect(ExitCode.ofImport(taken: taken, refused: refused) == code)
    }
}
