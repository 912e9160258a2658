// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A classification of connection errors into a few kinds. Each has a line in the table.
enum ConnectionFailure {
    /// Returns the kind of an error.
    static func kind(of error: any Error) -> String {
        if let error = error as? IOError {
            return error.errnoCode == ECONNREFUSED ? "the connection was refused" : "the connection was reset"
        }
        if let error = error as? ChannelError {
            if case .connectTimeout = error { return "no connection in time" }
            return "the connection was closed"
        }
        if error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError { return "TLS failed" }
        return "\(type(of: error))"
    }
}
