// Lays a statement's binds out as libpq wants them.

/// Scratch memory of one connection, so that sending a statement allocates nothing.
final class ParameterBuffer {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []
    /// Memory kept between statements; what a large one needed more is given back.
    private static let keptCapacity = 1 << 18

    /// Calls `body` with libpq's arrays of values, lengths and formats, valid during the call.
    func withParameters<Value>(
        _ binds: [Bind],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
    ) -> Value {
        if binds.isEmpty { return body(nil, nil, nil) }
        fill(binds)
        defer { if bytes.capacity > ParameterBuffer.keptCapacity { bytes = [] } }
        return bytes.withUnsafeBytes { memory in
            pointers.removeAll(keepingCapacity: true)
            let base = memory.baseAddress?.assumingMemoryBound(to: CChar.self)
            for offset in offsets { pointers.append(offset < 0 ? nil : base.map { $0 + offset }) }
            return body(pointers, lengths, formats)
        }
    }

    private func fill(_ binds: [Bind]) {
        bytes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        for bind in binds {
            let start = bytes.count
            switch bind {
            case .null: break
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .binary(let content): bytes.append(contentsOf: content)
            }
            offsets.append(bind == .null ? -1 : start)
            lengths.append(Int32(bytes.count - start))
            if case .binary = bind { formats.append(1) } else { formats.append(0) }
            // Text ends with NUL; after an empty binary value it keeps the pointer inside the buffer.
            bytes.append(0)
        }
    }
}
