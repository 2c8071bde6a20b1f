// The packs of this program that the configuration enables.
import CommandKit
import Packs
import Platform
import Store

extension Settings {
    /// As `enabledPacks(of:)`.
    func enabledPacks() throws -> PackSet { try enabledPacks(of: RegisteredPacks.all) }
}
