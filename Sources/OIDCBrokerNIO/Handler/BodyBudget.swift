// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

/// The memory for bodies that are kept from one read to the next: of requests that are not complete, of those that wait
/// for earlier responses, and of what was received behind one of the broker's requests.
///
/// A body is counted when a read is over. One that came whole in a read is with the broker by then, so it costs nothing
/// here and is never refused for lack of room; what a turn of the event loop reads bounds it. A request without a body
/// is not counted at all.
///
/// The first 8 KB of a body, more than the form of a sign-in needs, have a pool of their own, so clients that send long
/// incomplete bodies do not prevent sign-ins of others.
final class BodyBudget: Sendable {
    /// The number of bytes of a body that count as its beginning, a whole number of steps.
    static let beginningBytes = 8192
    /// The number of bytes in which bodies are counted, since a short one may keep a buffer of that size. A longer one
    /// has at most twice the memory that is counted, because buffers double as they grow.
    static let stepBytes = 4096
    /// The instance of the process. The remainders of one client are eighteen bodies of maximum length.
    static let shared = BodyBudget(
        beginnings: BodyPool(maximumBytes: 64 << 20, bytesOfAddress: 1 << 20),
        remainders: BodyPool(maximumBytes: 16 << 20, bytesOfAddress: 1 << 20))

    /// The memory for the first bytes of bodies.
    let beginnings: BodyPool
    /// The memory for everything else.
    let remainders: BodyPool

    init(beginnings: BodyPool, remainders: BodyPool) {
        self.beginnings = beginnings
        self.remainders = remainders
    }

    /// The number of bytes for which a body counts. The handler's limits bound the length.
    static func counted(_ length: Int) -> Int {
        (length / stepBytes + (length % stepBytes > 0 ? 1 : 0)) * stepBytes
    }

    /// The share of one connection or stream, which is returned when it is released, however the request ends.
    final class Share {
        private let budget: BodyBudget
        private let address: IPAddress?
        private var beginning = 0
        private var remainder = 0

        /// - Parameters:
        ///   - budget: The memory for all.
        ///   - address: The address of the client; `nil` if it is not known, since its peer speaks for everybody.
        init(_ budget: BodyBudget, address: IPAddress? = nil) {
            self.budget = budget
            self.address = address
        }

        deinit {
            budget.beginnings.giveBack(beginning, for: address)
            budget.remainders.giveBack(remainder, for: address)
        }

        /// Reserves the memory for a body of a length.
        /// - Returns: The limit that prevents it; `nil` if there is enough. The share may be larger than before in
        ///   either case.
        func grow(toBodyOf length: Int) -> BodyLimit? {
            let counted = BodyBudget.counted(length)
            let first = min(counted, BodyBudget.beginningBytes)
            if first > beginning {
                if let limit = budget.beginnings.take(first - beginning, for: address) { return limit }
                beginning = first
            }
            return growRemainder(to: counted - first)
        }

        /// Reserves the memory for bytes that belong to no body of the broker's.
        /// - Returns: The limit that prevents it; `nil` if there is enough.
        func grow(toHeld length: Int) -> BodyLimit? { growRemainder(to: BodyBudget.counted(length)) }

        private func growRemainder(to bytes: Int) -> BodyLimit? {
            guard bytes > remainder else { return nil }
            if let limit = budget.remainders.take(bytes - remainder, for: address) { return limit }
            remainder = bytes
            return nil
        }
    }
}

@available(*, unavailable)
extension BodyBudget.Share: Sendable {}
