// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory that clients may make the process hold. Connections, streams, unread responses, unfinished bodies,
/// requests under way and entries of queues share one budget, and each counts with its full cost, not only its payload.
///
/// Most rows also bound what one network may hold. When more than seven eighths of the budget are used, connections are
/// cut until three quarters are: each time the largest connection of the network that holds the most. Meanwhile the
/// last eighth is for clients that hold no more than the average. A connection whose client is not known is never cut,
/// since it may speak for many.
package final class MemoryBudget: Sendable {
    /// How a connection makes room for others.
    package enum Cut: Sendable {
        /// It is closed at once, and what it holds is dropped.
        case now
        /// It is closed if nothing waits to be sent, and no request is under way or its client has to wait.
        case ifIdle
    }

    /// The bounds of a row, in bytes.
    package struct Bounds: Sendable {
        /// The maximum of all clients together.
        package let maximum: Int
        /// The maximum of one IPv4 address or IPv6 /64.
        package let share: Int
        /// Whether a /56 has four times the share, and a /48 eight times.
        package let isScaled: Bool
        /// Whether the row gets its maximum even if other rows use up the budget. Those then get less.
        package let isReserved: Bool

        /// Creates bounds.
        package init(maximum: Int, share: Int, isScaled: Bool = true, isReserved: Bool = false) {
            (self.maximum, self.share) = (maximum, share)
            (self.isScaled, self.isReserved) = (isScaled, isReserved)
        }
    }

    private let state: Mutex<StateMachine>

    /// Creates a budget. Nothing is held yet.
    /// - Parameters:
    ///   - bytes: Its size, in bytes.
    ///   - bounds: The bounds of each row, for tests.
    package init(
        bytes: Int, bounds: @escaping @Sendable (HeldMemory, _ budget: Int) -> Bounds = { $0.bounds(of: $1) }
    ) {
        state = Mutex(StateMachine(size: bytes, bounds: bounds))
    }

    /// The size of the budget, in bytes. Making it smaller frees nothing that is held.
    package var size: Int {
        get { state.withLock { $0.size } }
        set { state.withLock { $0.size = newValue } }
    }

    /// What all clients hold, in bytes.
    package var held: Int { state.withLock { $0.total } }

    /// What all clients hold of one row, in bytes.
    package func held(_ row: HeldMemory) -> Int { state.withLock { $0.total(of: row) } }

    /// The bounds of one row.
    package func bounds(of row: HeldMemory) -> Bounds { state.withLock { $0.limits(of: row) } }

    /// The number of times that memory of one row was refused.
    package func refusals(_ row: HeldMemory) -> Int { state.withLock { $0.refusals(of: row) } }

    /// The number of networks that hold something of one row. An IPv4 client has one, an IPv6 client three.
    package func networkCount(_ row: HeldMemory) -> Int { state.withLock { $0.networkCount(of: row) } }

    /// Begins to count a connection.
    /// - Parameters:
    ///   - client: The address of the client; `nil` if it is not known, or if the peer speaks for others.
    ///   - cut: Closes the connection. It is called on any thread.
    /// - Returns: The count of the connection, which ends when it is released; `nil` if there is no room.
    package func open(from client: IPAddress?, cut: @escaping @Sendable (Cut) -> Void) -> HeldConnection? {
        let (number, taken) = state.withLock { $0.open(from: client, cut) }
        for cut in taken.cuts { cut(.now) }
        return number.map { HeldConnection(number: $0, budget: self) }
    }

    /// Asks connections of the largest holders to close if they are idle, when places are nearly used up.
    /// - Parameter count: The maximum number of connections.
    package func closeIdleOfLargestHolders(atMost count: Int) {
        for cut in state.withLock({ $0.largestHolders(atMost: count) }) { cut(.ifIdle) }
    }

    /// Takes memory of a row, all of it or nothing.
    /// - Parameters:
    ///   - bytes: The number of bytes.
    ///   - row: What they are for.
    ///   - client: The address of the client; `nil` for a client without a share of its own.
    ///   - givesWay: Whether the last quarter of the row is left to others.
    /// - Returns: The bound that they would exceed; `nil` if they were taken.
    package func take(
        _ bytes: Int, of row: HeldMemory, for client: IPAddress?, givesWay: Bool = false
    ) -> NetworkShares.Excess? {
        guard bytes > 0 else { return nil }
        let taken = state.withLock { $0.take(bytes, of: row, for: client, givesWay: givesWay) }
        for cut in taken.cuts { cut(.now) }
        return taken.excess
    }

    /// Gives back memory of a row that was taken for the same client.
    package func giveBack(_ bytes: Int, of row: HeldMemory, for client: IPAddress?) {
        guard bytes > 0 else { return }
        state.withLock { $0.giveBack(bytes, of: row, for: client) }
    }

    fileprivate func grow(_ number: UInt64, by bytes: Int) -> NetworkShares.Excess? {
        let taken = state.withLock { $0.grow(number, by: bytes) }
        for cut in taken.cuts { cut(.now) }
        return taken.excess
    }

    fileprivate func shrink(_ number: UInt64, by bytes: Int) { state.withLock { $0.shrink(number, by: bytes) } }

    fileprivate func pause(_ number: UInt64, _ isPaused: Bool) { state.withLock { $0.pause(number, isPaused) } }

    fileprivate func close(_ number: UInt64) { state.withLock { $0.close(number) } }
}

/// The memory that one connection holds, counted on its event loop. It takes memory from the budget in steps, so that
/// few responses take the budget's lock. When it is released, everything is given back.
package final class HeldConnection {
    private let number: UInt64
    private let budget: MemoryBudget
    private var steps = MemorySteps()
    /// The number of requests under way on HTTP/1, which hold nothing that counts here.
    private var requests = 0

    /// Whether no request is under way.
    package var isIdle: Bool { holdsNothing && requests == 0 }

    fileprivate init(number: UInt64, budget: MemoryBudget) {
        self.number = number
        self.budget = budget
    }

    deinit { budget.close(number) }

    /// Whether nothing is counted but the connection. An HTTP/1 request is not.
    package var holdsNothing: Bool { steps.held == 0 }

    /// A request began.
    package func requestBegan() { requests += 1 }

    /// A request ended.
    package func requestEnded() { requests = max(0, requests - 1) }

    /// Notes that the client has to wait. Of its network's connections, this is then among the first to be closed.
    package func pause() { budget.pause(number, true) }

    /// Notes that the client no longer has to wait.
    package func resume() { budget.pause(number, false) }

    /// Counts further bytes that the connection holds.
    /// - Returns: The bound that they would exceed; `nil` if they are counted.
    package func grow(by bytes: Int) -> NetworkShares.Excess? {
        let missing = steps.missing(for: bytes)
        if missing > 0, let excess = budget.grow(number, by: missing) { return excess }
        steps.grow(by: bytes, taking: missing)
        return nil
    }

    /// Stops counting bytes that the connection no longer holds.
    package func shrink(by bytes: Int) {
        let spare = steps.shrink(by: bytes)
        if spare > 0 { budget.shrink(number, by: spare) }
    }
}

@available(*, unavailable)
extension HeldConnection: Sendable {}
