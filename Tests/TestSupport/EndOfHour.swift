// Keeps tests that count by the hour or the day in UTC from seeing it change.
import FoundationEssentials
import TestBasics

/// In the last minute of an hour, waits for the next one.
package func avoidEndOfHour() async {
    await until("the next hour begins", within: 90) { Int(Date().timeIntervalSince1970) % 3600 < 3540 }
}
