internal import NIOCore

/// The connections of one event loop that get one answer: those beyond the limit, which may ask
/// how the service is, and those of peers that may do nothing (spec 3.1).
///
/// There is always room for one more: the oldest goes. Whoever asks at once is answered at once,
/// however many others say nothing. Everything here happens on that loop.
final class BriefConnections {
    private var handlers: [BriefConnectionHandler] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ handler: BriefConnectionHandler) {
        handlers.append(handler)
        if handlers.count > limit { handlers[0].close() }
    }

    func remove(_ handler: BriefConnectionHandler) {
        handlers.removeAll { $0 === handler }
    }

    /// Ends all of them.
    func close() {
        for handler in handlers { handler.close() }
    }
}
