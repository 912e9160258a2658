// SPDX-License-Identifier: Apache-2.0

/// What a client makes the process hold in memory. Each is a row of `Limits.md`.
package enum HeldMemory: Int, Sendable, CaseIterable {
    /// Connections as such: sockets, TLS, pipelines.
    case connections
    /// What connections hold beyond that: streams, and responses that the client does not read.
    case responses
    /// The first 8 KB of bodies that are not complete, more than the form of a sign-in needs.
    case bodies
    /// The rest of such bodies, and what was received behind a request.
    case longBodies
    /// Requests under way, beside their bodies, which may wait for a provider, the store or a signature. They are held to
    /// their end, also when the client is gone.
    case requests

    /// What a connection costs without a request, in bytes: 10,000 idle ones with TLS were 318 MB.
    package static let connectionBytes = 32 * 1024
    /// What the head of a request costs whose body is to come, in bytes.
    package static let headBytes = 32 * 1024
    /// What an HTTP/2 stream costs beside its response's body, in bytes: 99 of them that wait for a window were 0.95 MB.
    package static let streamBytes = 10 * 1024
    /// What a request costs that waits, in bytes. It is an estimate: the state and the form, what was read of both, the
    /// request to the provider with its part of a connection, and a response of the usual size.
    package static let requestBytes = 16 * 1024
    /// What the kernel holds for a connection whose client does not read, in bytes: both buffers, each of which it doubles.
    package static let fullSocketBytes = 2 * (sendBufferBytes + receiveBufferBytes)
    /// The size of the send buffer of a connection that a client opened, in bytes. What is in it is not counted before the
    /// buffer is full, so it is small.
    package static let sendBufferBytes = 16 * 1024
    /// The size of the receive buffer of such a connection, in bytes.
    package static let receiveBufferBytes = 32 * 1024

    /// The bounds in a budget.
    /// - Parameter budget: Its size, in bytes.
    func bounds(of budget: Int) -> MemoryBudget.Bounds {
        switch self {
        // Their number is bounded for each network.
        case .connections: MemoryBudget.Bounds(maximum: budget, share: budget)
        case .responses: MemoryBudget.Bounds(maximum: budget, share: budget / 8, isScaled: false)
        case .bodies: MemoryBudget.Bounds(maximum: min(64 << 20, budget / 2), share: 1 << 20)
        case .longBodies: MemoryBudget.Bounds(maximum: min(16 << 20, budget / 8), share: 1 << 20)
        // They cannot be cut, so half is left for connections. What waits in a queue for a signature, an account, the
        // store or a host name belongs to one of them. What outlives a request has a fixed size: 32 MiB of lines in
        // each log, and 10,000 attempts in doubt.
        case .requests: MemoryBudget.Bounds(maximum: budget / 2, share: budget / 8, isScaled: false)
        }
    }
}
