// Runs all tests. Without this file SwiftPM looks for tests of XCTest, of which there are none, in an index that every
// compilation would have to write.
import Testing

@main
enum Tests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
