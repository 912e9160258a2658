// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory that clients may make the process hold: one number for connections, streams, unread responses, unfinished
/// bodies and requests that wait together, each counted with what it costs and not only with its payload.
///
/// A network gets a share at most. Where seven eighths are used, the largest connections of whichever network holds the most
/// at that moment are cut, until three quarters remain; the last eighth is for those who hold less than the average
/// meanwhile. A connection whose
/// client is not known is never cut, since it may speak for many.
package final class MemoryBudget: Sendable {
    /// What becomes of a connection that has to make room.
    package enum Cut: Sendable {
        /// It is closed at once, with what it holds.
        case now
        /// It is closed if no request is under way on it, or its client has to wait.
        case ifIdle
    }

    /// The bounds of a row, in bytes.
    package struct Bounds: Sendable {
        /// The maximum of all clients together.
        package let maximum: Int
        /// The maximum of one IPv4 address or IPv6 /64.
        package let share: Int
        /// Whether a /56 has four times and a /48 eight times as much.
        package let isScaled: Bool

        /// Creates bounds.
        package init(maximum: Int, share: Int, isScaled: Bool = true) {
            (self.maximum, self.share, self.isScaled) = (maximum, share, isScaled)
        }
    }

    private let state: Mutex<StateMachine>

    /// Creates a budget of which nothing is held.
    /// - Parameters:
    ///   - bytes: Its size, in bytes.
    ///   - bounds: The bounds of each row, for tests.
    package init(
        bytes: Int, bounds: @escaping @Sendable (HeldMemory, _ budget: Int) -> Bounds = { $0.bounds(of: $1) }
    ) {
        state = Mutex(StateMachine(size: bytes, bounds: bounds))
    }

    /// The size of the budget, in bytes. A change gives nothing back that is held.
    package var size: Int {
        get { state.withLock { $0.size } }
        set { state.withLock { $0.size = newValue } }
    }

    /// What all clients hold, in bytes.
    package var held: Int { state.withLock { $0.total } }

    /// What all clients hold of one row, in bytes.
    package func held(_ row: HeldMemory) -> Int { state.withLock { $0.total(of: row) } }

    /// The number of networks that hold something of one row: one for an IPv4 address, three for an IPv6 one.
    package func networkCount(_ row: HeldMemory) -> Int { state.withLock { $0.networkCount(of: row) } }

    /// Begins to count a connection.
    /// - Parameters:
    ///   - client: The address of the client; `nil` if it is not known, or its peer speaks for others.
    ///   - cut: Closes the connection. It is called on any thread.
    /// - Returns: What counts the connection; `nil` if there is no room for it.
    package func open(from client: IPAddress?, cut: @escaping @Sendable (Cut) -> Void) -> HeldConnection? {
        let (number, taken) = state.withLock { $0.open(from: client, cut) }
        for cut in taken.cuts { cut(.now) }
        return number.map { HeldConnection(number: $0, budget: self) }
    }

    /// Asks connections of the largest holders to close if they are idle, where another one has nearly no place.
    /// - Parameter count: Their number at most.
    package func closeIdleOfLargestHolders(atMost count: Int) {
        for cut in state.withLock({ $0.largestHolders(atMost: count) }) { cut(.ifIdle) }
    }

    /// Takes memory of a row, all of it or nothing.
    /// - Parameters:
    ///   - bytes: The number of bytes.
    ///   - row: What they are for.
    ///   - client: The address of the client; `nil` for one without a share of its own.
    /// - Returns: The bound that they would exceed; `nil` if they were taken.
    package func take(_ bytes: Int, of row: HeldMemory, for client: IPAddress?) -> NetworkShares.Excess? {
        guard bytes > 0 else { return nil }
        let taken = state.withLock { $0.take(bytes, of: row, for: client) }
        for cut in taken.cuts { cut(.now) }
        return taken.excess
    }

    /// Gives memory of a row back that was taken for the same client.
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

/// What one connection holds, on its event loop. It is counted in steps, so that not each response takes the lock of the
/// budget; what it holds is given back when it is released.
package final class HeldConnection {
    /// The number of bytes in which it takes memory from the budget.
    static let stepBytes = 16 * 1024

    private let number: UInt64
    private let budget: MemoryBudget
    private var held = 0
    private var taken = 0
    /// The number of requests under way that hold nothing that is counted.
    private var requests = 0

    /// Whether no request is under way.
    package var isIdle: Bool { held == 0 && requests == 0 }

    fileprivate init(number: UInt64, budget: MemoryBudget) {
        self.number = number
        self.budget = budget
    }

    deinit { budget.close(number) }

    /// Whether nothing is counted but the connection. An HTTP/1 request is not.
    package var holdsNothing: Bool { held == 0 }

    /// A request began.
    package func requestBegan() { requests += 1 }

    /// A request ended.
    package func requestEnded() { requests = max(0, requests - 1) }

    /// Notes that the client has to wait: of its network's connections this one is among the first to be closed.
    package func pause() { budget.pause(number, true) }

    /// Notes that the client has to wait no longer.
    package func resume() { budget.pause(number, false) }

    /// Counts bytes that the connection holds more.
    /// - Returns: The bound that they would exceed; `nil` if they are counted.
    package func grow(by bytes: Int) -> NetworkShares.Excess? {
        let needed = held + bytes
        if needed > taken {
            let steps = (needed - taken + Self.stepBytes - 1) / Self.stepBytes
            if let excess = budget.grow(number, by: steps * Self.stepBytes) { return excess }
            taken += steps * Self.stepBytes
        }
        held = needed
        return nil
    }

    /// Counts bytes that the connection holds no longer.
    package func shrink(by bytes: Int) {
        held = max(0, held - bytes)
        let spare = (taken - held) / Self.stepBytes * Self.stepBytes
        guard spare > 0 else { return }
        taken -= spare
        budget.shrink(number, by: spare)
    }
}

@available(*, unavailable)
extension HeldConnection: Sendable {}
