// Tests the sentences for errors of the file system.
import FoundationEssentials
import Platform
import Testing

@Suite struct FileProblemTests {
    @Test("an error of the file system is a sentence with the path, never a code")
    func missing() {
        let folder = "/nowhere/\(UUID().uuidString)"
        do {
            _ = try FileManager.default.subpathsOfDirectory(atPath: folder)
            Issue.record("the folder exists")
        } catch let error as CocoaError {
            let sentence = FileProblem.sentence(for: error)
            #expect(sentence.contains(folder) && !sentence.contains("CocoaError"))
        } catch {
            Issue.record("\(error)")
        }
    }
}
