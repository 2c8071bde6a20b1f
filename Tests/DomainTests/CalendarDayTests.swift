// Tests days of the calendar: reading, weekdays, arithmetic and the ends of the calendar.
import Domain
import Testing

@Suite struct CalendarDayTests {
    @Test("a day is read from exactly ten characters")
    func reading() throws {
        let day = try #require(CalendarDay("2024-02-29"))
        #expect(day.text == "2024-02-29" && [day.year, day.month, day.day] == [2024, 2, 29])
        for wrong in ["2023-02-29", "2024-2-29", "2024-02-29T", "0000-01-01", "2024-13-01", "2024-02-2९", ""] {
            #expect(CalendarDay(wrong) == nil, "\(wrong)")
        }
    }

    @Test(
        "a weekday counts from Monday",
        arguments: [("0001-01-01", 0), ("1970-01-01", 3), ("2000-02-29", 1), ("2026-11-29", 6), ("9999-12-31", 4)])
    func weekday(text: String, number: Int) throws {
        #expect(try #require(CalendarDay(text)).weekday == number)
    }

    @Test("days are added across months and years, within the calendar")
    func adding() throws {
        let day = try #require(CalendarDay("2024-02-28"))
        #expect(day.adding(days: 1)?.text == "2024-02-29" && day.adding(days: 2)?.text == "2024-03-01")
        #expect(day.adding(days: -59)?.text == "2023-12-31" && day.adding(days: 0) == day)
        #expect(day.monthLength == 29)
        #expect(CalendarDay("0001-01-01")?.adding(days: -1) == nil)
        #expect(CalendarDay("9999-12-31")?.adding(days: 1) == nil)
    }
}
