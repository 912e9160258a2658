// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Requests that wait for a connection, in their order. Each operation takes the same time however many wait: a provider
/// that accepts connections and does not respond is no trouble for the event loop's other providers. Without a clock and
/// without threads.
package struct WaitingRequests<Request> {
    /// The most that wait at once; one more is refused. With 256 connections that is more than a provider can serve
    /// before the deadlines of the last.
    package static var maximumCount: Int { 1000 }

    private var requests: [UInt64: Request] = [:]
    /// Numbers of requests in their order; those that have left before their turn are passed over.
    private var order = CircularBuffer<UInt64>()
    private var lastNumber: UInt64 = 0

    /// None.
    package init() {}

    /// How many wait.
    package var count: Int { requests.count }

    /// How many places are taken, those that are passed over included: at most twice the most that wait.
    package var placeCount: Int { order.count }

    /// A request waits.
    /// - Parameter make: makes it of its number.
    /// - Returns: whether it does, or there are too many.
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

    /// A request leaves before its turn.
    /// - Returns: the request; `nil` if it has left.
    package mutating func remove(_ number: UInt64) -> Request? { requests.removeValue(forKey: number) }

    /// The one that has waited longest leaves.
    package mutating func popFirst() -> Request? {
        while let number = order.popFirst() {
            if let request = requests.removeValue(forKey: number) { return request }
        }
        return nil
    }

    /// All leave, in their order.
    package mutating func removeAll() -> [Request] {
        defer {
            requests.removeAll()
            order.removeAll()
        }
        return order.compactMap { requests[$0] }
    }
}

extension WaitingRequests: Sendable where Request: Sendable {}
