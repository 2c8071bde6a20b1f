// The fixed rows of `ops.actor` for actors that are neither an account nor a client.
import FoundationEssentials

package enum SystemActor {
    package static let system = row(1)
    package static let `operator` = row(2)
    package static let contributor = row(3)
    package static let schedule = row(4)
    package static let `import` = row(5)
    package static let visitor = row(6)

    private static func row(_ number: UInt8) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }
}
