// SPDX-License-Identifier: Apache-2.0

import Admission
import OIDCBroker

/// What one connection or stream holds of bodies that are kept from one read to the next: of requests that are not
/// complete, of those that wait for earlier responses, and of what was received behind one of the broker's requests. It is
/// given back when the share is released, however the request ends.
///
/// A body is counted when a read is over. One that came whole in a read is with the broker by then, so it costs nothing
/// here and is never refused for lack of room; what a turn of the event loop reads bounds it. A request without a body
/// is not counted at all.
///
/// The first 8 KB of a body, more than the form of a sign-in needs, have room of their own, so clients that send long
/// incomplete bodies do not prevent sign-ins of others.
final class BodyShare {
    /// The number of bytes of a body that count as its beginning, a whole number of steps.
    static let beginningBytes = 8192
    /// The number of bytes in which bodies are counted, since a short one may keep a buffer of that size. A longer one
    /// has at most twice the memory that is counted, because buffers double as they grow.
    static let stepBytes = 4096

    private let memory: MemoryBudget
    private let address: IPAddress?
    private var beginning = 0
    private var remainder = 0

    /// - Parameters:
    ///   - memory: The memory for all.
    ///   - address: The address of the client; `nil` if it is not known, since its peer speaks for all clients.
    init(_ memory: MemoryBudget, address: IPAddress? = nil) {
        self.memory = memory
        self.address = address
    }

    deinit {
        memory.giveBack(beginning, of: .bodies, for: address)
        memory.giveBack(remainder, of: .longBodies, for: address)
    }

    /// Returns the number of bytes for which a body counts. The handler's limits bound the length.
    static func counted(_ length: Int) -> Int {
        (length / stepBytes + (length % stepBytes > 0 ? 1 : 0)) * stepBytes
    }

    /// Reserves the memory for a body of a length.
    /// - Returns: The limit that prevents it; `nil` if there is enough. The share may be larger than before in
    ///   either case.
    func grow(toBodyOf length: Int) -> BodyLimit? {
        let counted = Self.counted(length)
        let first = min(counted, Self.beginningBytes)
        if first > beginning {
            if let excess = memory.take(first - beginning, of: .bodies, for: address) { return BodyLimit(excess) }
            beginning = first
        }
        return growRemainder(to: counted - first)
    }

    /// Reserves the memory for bytes that belong to no body of the broker's.
    /// - Returns: The limit that prevents it; `nil` if there is enough.
    func grow(toHeld length: Int) -> BodyLimit? { growRemainder(to: Self.counted(length)) }

    private func growRemainder(to bytes: Int) -> BodyLimit? {
        guard bytes > remainder else { return nil }
        if let excess = memory.take(bytes - remainder, of: .longBodies, for: address) { return BodyLimit(excess) }
        remainder = bytes
        return nil
    }
}

@available(*, unavailable)
extension BodyShare: Sendable {}

extension BodyLimit {
    fileprivate init(_ excess: NetworkShares.Excess) {
        self =
            switch excess {
            case .total: .total
            case .network: .address
            }
    }
}
