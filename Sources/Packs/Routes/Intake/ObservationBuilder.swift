// The state of an import of observations: parsed drafts that are not stored yet, and refused rows.
import Domain
import Localization
import Markup
import Operations
import Store

struct ObservationBuilder {
    let kind: ObservationKind
    let options: ImportObservations.Options
    let sites: SiteTable
    var city: String?
    var drafts: [ObservationDraft] = []
    var refused: [ObservationRefusal] = []
    var recorded = 0
    var processed = 0
    /// Sites without known coordinates.
    var unlocated: Set<String> = []
    /// Other sources that have values of the same sites at the same time.
    var otherSources: Set<String> = []

    private var reader = TableReader()
    private var columns: [String] = []
    private var format: ObservationFormat?

    init(kind: ObservationKind, options: ImportObservations.Options, sites: SiteTable) {
        self.kind = kind
        self.options = options
        self.sites = sites
        city = options.city
    }

    mutating func add(_ document: ObservationDocument.Read) {
        city = city ?? document.city
        drafts += document.observations
        refused += document.refused
    }

    mutating func read(_ bytes: [UInt8]) throws(Failure) {
        do throws(TableReader.Unreadable) {
            for record in try reader.read(bytes) { try? add(record) }
        } catch {
            throw .refused(code: "format", message: error.message)
        }
        if let failure { throw failure }
    }

    mutating func endOfFile() throws(Failure) {
        do throws(TableReader.Unreadable) {
            for record in try reader.finish() { try? add(record) }
        } catch {
            throw .refused(code: "format", message: error.message)
        }
        if let failure { throw failure }
    }

    /// The first error that refuses the whole file.
    private var failure: Failure?

    private mutating func add(_ record: CSVReader.Record) throws(Failure) {
        guard let format else {
            columns = record.fields.map(PlainText.singleLine)
            do throws(Failure) {
                format = try ObservationFormat(
                    kind: kind, columns: columns, sites: sites, hasDecimalCommas: reader.hasDecimalCommas)
            } catch {
                failure = failure ?? error
                throw error
            }
            return
        }
        guard record.fields.count == columns.count else {
            let message = tr("The row has \(record.fields.count) cells, but the first row has \(columns.count).")
            refused.append(ObservationRefusal(line: record.line, reason: message))
            return
        }
        let cells = Dictionary(
            zip(columns, record.fields.map(PlainText.singleLine)), uniquingKeysWith: { first, _ in first })
        do throws(ObservationRefusal) {
            drafts += try format.observations(cells, line: record.line)
        } catch {
            refused.append(error)
        }
    }
}
