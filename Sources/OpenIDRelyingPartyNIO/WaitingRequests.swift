// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The requests that wait for a connection, in their order.
///
/// The cost of each operation does not depend on how many requests wait, so that a provider that accepts connections
/// and does not respond does not slow down the event loop. It has no clock and no threads of its own.
package struct WaitingRequests<Request> {
    /// The maximum number of waiting requests. With 256 connections, this is more than a provider can serve before the
    /// deadlines of the last ones.
    package static var maximumCount: Int { 1000 }

    private var requests: [UInt64: Request] = [:]
    /// The numbers of the requests in their order. Those of requests that left before their turn are skipped.
    private var order = CircularBuffer<UInt64>()
    private var lastNumber: UInt64 = 0

    /// Creates an empty queue.
    package init() {}

    /// The number of waiting requests.
    package var count: Int { requests.count }

    /// The number of entries, including those to be skipped: at most twice the maximum number of waiting requests.
    package var placeCount: Int { order.count }

    /// Appends a request.
    /// - Parameter make: Creates the request from its number.
    /// - Returns: Whether the request waits. It does not if there are too many.
    package mutating func append(_ make: (UInt64) -> Request) -> Bool {
        guard requests.count < Self.maximumCount else { return false }
        if order.count >= 2 * Self.maximumCount {
            order = CircularBuffer(order.filter { requests[$0] != nil })
        }
        lastNumber += 1
        requests[lastNumber] = make(lastNumber)
        order.append(lastNumber)
        return true
    }

    /// Removes a request before its turn.
    /// - Returns: The request; `nil` if it is not waiting any more.
    package mutating func remove(_ number: UInt64) -> Request? { requests.removeValue(forKey: number) }

    /// Removes the request that has waited longest and returns it.
    package mutating func popFirst() -> Request? {
        while let number = order.popFirst() {
            if let request = requests.removeValue(forKey: number) { return request }
        }
        return nil
    }

    /// Removes all requests and returns them in their order.
    package mutating func removeAll() -> [Request] {
        defer {
            requests.removeAll()
            order.removeAll()
        }
        return order.compactMap { requests[$0] }
    }
}

extension WaitingRequests: Sendable where Request: Sendable {}
