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
}
