// The part of a client on one event loop.
import EventLoop

/// Used on its loop's thread only, except for the constants.
final class LoopShare: @unchecked Sendable {
    let loop: EventLoop
    let pipeline: PipelineGroup
    let pool: TransactionPool

    init(loop: EventLoop, settings: ConnectionSettings, pipelineConnections: Int, kept: Int, poolSize: Int) {
        self.loop = loop
        pipeline = PipelineGroup(loop: loop, settings: settings, connections: pipelineConnections, kept: kept)
        pool = TransactionPool(loop: loop, settings: settings, size: poolSize)
    }

    func close() {
        pipeline.close()
        pool.close()
    }
}
