/// What a new connection may ask, by how many there are.
enum ConnectionRoom: Equatable, Sendable {
    case forAnything
    /// Beyond the limit: only how the service is, once.
    case forHealth
    case none

    init(taken: Int, limit: Int, reserved: Int) {
        self =
            if taken < limit {
                .forAnything
            } else if taken < limit + reserved {
                .forHealth
            } else {
                .none
            }
    }
}
