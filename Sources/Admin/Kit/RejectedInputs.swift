// What an error page shows of a form that was not carried out.
import HTTP

struct RejectedInputs: Sendable {
    static let empty = RejectedInputs(list: [], isCut: false)

    static let most = 20
    static let mostBytes = 64 << 10

    let list: [RejectedInput]
    /// Whether the form had more.
    let isCut: Bool

    private init(list: [RejectedInput], isCut: Bool) {
        self.list = list
        self.isCut = isCut
    }

    /// Everything, for a text that is nowhere else.
    init(all request: Request) {
        self.init(list: RejectedInput.list(RejectedInput.fields(of: request)), isCut: false)
    }

    /// The first inputs, each up to a length: the browser still has the form.
    init(startOf request: Request) {
        let fields = RejectedInput.fields(of: request)
        let list = RejectedInput.list(fields.prefix(Self.most)).map { $0.prefix(bytes: Self.mostBytes) }
        self.init(list: list, isCut: fields.count > Self.most || zip(fields, list).contains { $0.value != $1.text })
    }
}
