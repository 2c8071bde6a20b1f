// The Daily Air Quality Index of the United Kingdom: maps a concentration to an index from 1 to 10.
import Domain

package enum AirIndex: String, Sendable, CaseIterable {
    case no2 = "NO2"
    case o3 = "O3"
    case pm10 = "PM10"
    case pm25 = "PM25"

    /// Reads `pm2.5`, `PM25`, `no2` … in any case.
    package init?(substance: String) {
        self.init(rawValue: substance.uppercased().replacing(".", with: ""))
    }

    /// The inclusive upper limits of the indices 1, 2 … 9 in whole micrograms per cubic meter; greater values have
    /// index 10.
    private var limits: [Double] {
        switch self {
        case .no2: [67, 134, 200, 267, 334, 400, 467, 534, 600]
        case .o3: [33, 66, 100, 120, 140, 160, 187, 213, 240]
        case .pm10: [16, 33, 50, 58, 66, 75, 83, 91, 100]
        case .pm25: [11, 23, 35, 41, 47, 53, 58, 64, 70]
        }
    }

    /// The index of a concentration in micrograms per cubic meter, rounded first; nil below 0.
    package func index(of concentration: Double) -> Int? {
        guard concentration.isFinite, concentration >= 0 else { return nil }
        let whole = concentration.rounded()
        return 1 + limits.count { whole > $0 }
    }
}
