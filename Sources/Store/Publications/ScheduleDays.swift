// Days in a time zone, as conditions and columns of statements.
import Domain
import Postgres

package struct ScheduleDays: Sendable {
    package let first: CalendarDay
    /// It is one of them.
    package let last: CalendarDay
    package let zone: String

    package init(first: CalendarDay, last: CalendarDay, zone: String) {
        self.first = first
        self.last = last
        self.zone = zone
    }

    /// A condition on a `timestamptz`: it is on one of these days.
    package func contain(_ time: SQL) -> SQL {
        """
        (\(time) >= \(first.text)::timestamp at time zone \(zone)::text
            and \(time) < (\(last.text)::date + 1)::timestamp at time zone \(zone)::text)
        """
    }

    /// A condition on two `timestamptz`: what begins at the first and is over at the second is on one of these days.
    package func overlap(_ start: SQL, _ end: SQL) -> SQL {
        """
        (\(end) > \(first.text)::timestamp at time zone \(zone)::text
            and \(start) < (\(last.text)::date + 1)::timestamp at time zone \(zone)::text)
        """
    }

    /// A `timestamptz` by the clocks of the zone: `2026-11-20 18:00`.
    package func local(_ time: SQL) -> SQL { "to_char(\(time) at time zone \(zone)::text, 'YYYY-MM-DD HH24:MI')" }
}
