// SPDX-License-Identifier: Apache-2.0

/// Why a connection is closed before anything is read from it.
enum ConnectionRefusal: String, Error, CaseIterable {
    /// It is plain HTTP, and not from one of the proxies in front.
    case untrusted
    /// There are as many connections as there may be.
    case total
    /// There is no memory for one more (`server.memory-bytes`).
    case memory
    /// There are as many connections to the loopback listener as there may be.
    case loopback
    /// There are as many connections from its address as there may be.
    case address
    /// Its address opens connections faster than it may.
    case rate

    /// What a line in the log says.
    var reason: String {
        switch self {
        case .untrusted: "connection refused: not from a trusted proxy"
        case .total, .loopback: "connection refused: too many open connections"
        case .memory: "connection refused: server.memory-bytes is full"
        case .address: "connection refused: too many from this address"
        case .rate: "connection refused: this address opens connections too fast"
        }
    }
}
