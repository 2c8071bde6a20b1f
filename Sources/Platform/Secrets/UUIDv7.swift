// Generates ids that sort by creation time, without the database.
import CSystem
import FoundationEssentials
import Synchronization

/// RFC 9562, version 7. Within a process, every id is greater than the previous one, even if the clock stops or steps back.
/// Between processes, ids are ordered by their clocks, to the millisecond.
package enum UUIDv7 {
    private static let generator = Mutex(Generator())

    package static func make() -> UUID {
        make(milliseconds: wallClock())
    }

    /// `milliseconds` since 1970 is a parameter for tests.
    static func make(milliseconds: UInt64) -> UUID {
        generator.withLock { $0.next(milliseconds: milliseconds) }
    }

    private static func wallClock() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(max(0, now.tv_sec)) * 1000 + UInt64(now.tv_nsec) / 1_000_000
    }
}

extension UUIDv7 {
    /// 48 bits of milliseconds, 12 bits of counter, 62 random bits.
    struct Generator {
        private static let counterLimit: UInt16 = 0x0fff
        /// The number of ids per fetch of random bytes: fewer system calls.
        private static let stockSize = 128
        private static let bytesPerID = 10

        private var milliseconds: UInt64 = 0
        private var counter: UInt16 = 0
        private var stock: [UInt8] = []

        mutating func next(milliseconds now: UInt64) -> UUID {
            if stock.isEmpty {
                stock = SecureRandom.bytes(Generator.stockSize * Generator.bytesPerID)
            }
            let random = Array(stock.suffix(Generator.bytesPerID))
            stock.removeLast(Generator.bytesPerID)
            if now > milliseconds {
                milliseconds = now
                restartCounter(random)
            } else if counter < Generator.counterLimit {
                counter += 1
            } else {
                milliseconds += 1
                restartCounter(random)
            }
            return id(random)
        }

        /// Starts in the lower half, so that at least 2,048 ids fit into a millisecond.
        private mutating func restartCounter(_ random: [UInt8]) {
            counter = (UInt16(random[8]) << 8 | UInt16(random[9])) & (Generator.counterLimit >> 1)
        }

        private func id(_ random: [UInt8]) -> UUID {
            UUID(
                uuid: (
                    UInt8(truncatingIfNeeded: milliseconds >> 40), UInt8(truncatingIfNeeded: milliseconds >> 32),
                    UInt8(truncatingIfNeeded: milliseconds >> 24), UInt8(truncatingIfNeeded: milliseconds >> 16),
                    UInt8(truncatingIfNeeded: milliseconds >> 8), UInt8(truncatingIfNeeded: milliseconds),
                    0x70 | UInt8(truncatingIfNeeded: counter >> 8), UInt8(truncatingIfNeeded: counter),
                    0x80 | (random[0] & 0x3f), random[1], random[2], random[3],
                    random[4], random[5], random[6], random[7]
                ))
        }
    }
}
