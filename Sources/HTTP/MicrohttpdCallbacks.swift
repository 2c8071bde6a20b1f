// The functions that libmicrohttpd calls, all on the thread of their loop.
import CMicrohttpd
import Glibc

/// The callbacks of a daemon that reports to a loop's server, which must outlive it.
func microhttpdCallbacks(for loopServer: LoopServer) -> vitrine_mhd_callbacks {
    vitrine_mhd_callbacks(
        context: Unmanaged.passUnretained(loopServer).toOpaque(), target: targetReceived, request: requestReceived,
        completed: requestCompleted, connection: connectionChanged, rejected: requestRejected)
}

private func loopServer(_ context: UnsafeMutableRawPointer?) -> LoopServer? {
    context.map { Unmanaged<LoopServer>.fromOpaque($0).takeUnretainedValue() }
}

private func connection(_ context: UnsafeMutableRawPointer?) -> Connection? {
    context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}

/// Opened or closed. The connection object lives in between.
private let connectionChanged: MHD_NotifyConnectionCallback = { context, handle, slot, event in
    guard let loopServer = loopServer(context), let handle, let slot else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
        let opened = loopServer.opened(handle, remoteAddress(of: handle))
        slot.pointee = Unmanaged.passRetained(opened).toOpaque()
    } else if let known = connection(slot.pointee) {
        loopServer.closed(known)
        Unmanaged.passUnretained(known).release()
        slot.pointee = nil
    }
}

/// The request line; what is returned comes back with each later call for this request.
private let targetReceived:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
        _, target, handle in
        let slot = vitrine_mhd_context(handle)
        connection(slot)?.begin(target: target)
        return slot
    }

/// The head, then pieces of the body, then the end.
private let requestReceived: MHD_AccessHandlerCallback = {
    _, handle, target, method, version, data, size, slot in
    guard let known = connection(slot?.pointee), let handle, let target, let method, let version, let size else {
        return .NO
    }
    let raw = RequestHead.Raw(
        connection: handle, method: method, target: target, version: version, lines: known.headerLines)
    guard size.pointee > 0, let data else { return known.receive(raw, nil) }
    defer { size.pointee = 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee).bindMemory(to: UInt8.self)
    return known.receive(raw, bytes)
}

private let requestCompleted: MHD_RequestCompletedCallback = { _, _, slot, _ in
    connection(slot?.pointee)?.complete()
}

private let requestRejected: @convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void = { context, status in
    loopServer(context)?.rejected(status: Int(status))
}

private func remoteAddress(of handle: OpaquePointer) -> String {
    guard let info = vitrine_mhd_address(handle) else { return "" }
    return SocketAddress.text(info)
}
