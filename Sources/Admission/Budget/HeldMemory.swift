// SPDX-License-Identifier: Apache-2.0

/// A kind of memory that clients make the process hold. `Limits.md` has the bounds of each.
package enum HeldMemory: Int, Sendable, CaseIterable {
    /// Connections without requests: sockets, TLS, pipelines.
    case connections
    /// What connections hold beyond that: streams, and responses that the client does not read.
    case responses
    /// The first 8 KB of bodies that are not complete. The form of a sign-in needs less.
    case bodies
    /// The rest of such bodies, and requests that wait behind another one of their connection.
    case longBodies
    /// Requests under way, with what is long of their bodies. They may wait for a provider, the store or a signature, and count
    /// until they end, even after the client has gone.
    case requests
    /// Values on their way to a shared store.
    case values
    /// Attempts in doubt at a shared store, which are kept for a minute after their requests.
    case attempts
    /// Lines that wait to be written to the log.
    case log
    /// Lines that wait to be written to the audit.
    case audit

    /// The cost of a connection without a request, in bytes. 10,000 idle connections with TLS took 318 MB.
    package static let connectionBytes = 32 * 1024
    /// The cost of a request head whose body is still to come, in bytes.
    package static let headBytes = 32 * 1024
    /// The cost of an HTTP/2 stream without its response's body, in bytes. 99 streams that waited for a window took
    /// 0.95 MB.
    package static let streamBytes = 10 * 1024
    /// The cost of a request under way, in bytes. This is an estimate: the state and the form, what was read from both,
    /// the request to the provider with its part of a connection, and a response of the usual size.
    package static let requestBytes = 16 * 1024
    /// The length of a body up to which ``requestBytes`` covers it, in bytes. The form of a sign-in needs less.
    package static let shortBodyBytes = 8 * 1024
    /// The length of a body beyond which it is that of an import, whose memory was taken before it was read, in bytes.
    private static let longestBodyBytes = 64 * 1024
    /// The cost of a request head that waits behind another request, in bytes: the head and about ten fields. A client can
    /// pipeline a thousand in one read.
    package static let heldHeadBytes = 2 * 1024
    /// The cost of each part of such a request, in bytes, without its bytes. A client can send ten thousand chunks in one
    /// read.
    package static let heldPartBytes = 128
    /// What the kernel holds for a connection whose client does not read, in bytes: both buffers, each at twice its
    /// size.
    package static let fullSocketBytes = 2 * (sendBufferBytes + receiveBufferBytes)
    /// The size of the send buffer of a connection that a client opened, in bytes. It is small, because its contents
    /// are not counted until it is full.
    package static let sendBufferBytes = 16 * 1024
    /// The size of the receive buffer of such a connection, in bytes.
    package static let receiveBufferBytes = 32 * 1024

    /// Returns the cost of a request under way with a body of a length, in bytes.
    package static func requestBytes(withBodyOf length: Int) -> Int {
        requestBytes + max(0, min(length, longestBodyBytes) - shortBodyBytes)
    }

    /// The bounds in a budget.
    /// - Parameter budget: Its size, in bytes.
    func bounds(of budget: Int) -> MemoryBudget.Bounds {
        switch self {
        // `ConnectionLimits` bounds their number for each network.
        case .connections: MemoryBudget.Bounds(maximum: budget, share: budget)
        case .responses: MemoryBudget.Bounds(maximum: budget, share: budget / 8, isScaled: false)
        case .bodies: MemoryBudget.Bounds(maximum: min(64 << 20, budget / 2), share: 1 << 20)
        case .longBodies: MemoryBudget.Bounds(maximum: min(16 << 20, budget / 8), share: 1 << 20)
        // Requests cannot be cut, so half is left for connections. Whatever waits in a queue for a signature, an
        // account, the store or a host name belongs to a request, which counts for it.
        case .requests: MemoryBudget.Bounds(maximum: budget / 2, share: budget / 8, isScaled: false)
        // The following rows have no share for a client: the requests that cause them have one.
        case .values: MemoryBudget.Bounds(maximum: min(64 << 20, budget / 4), share: budget)
        case .attempts: MemoryBudget.Bounds(maximum: min(4 << 20, budget / 16), share: budget)
        case .log: MemoryBudget.Bounds(maximum: min(32 << 20, budget / 8), share: budget)
        // Reserved for the audit, even if everything else is used up.
        case .audit: MemoryBudget.Bounds(maximum: min(32 << 20, budget / 8), share: budget, isReserved: true)
        }
    }
}
