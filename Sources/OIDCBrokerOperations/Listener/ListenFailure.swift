// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The text of an address that could not be bound, for the operator.
package enum ListenFailure {
    /// Returns the address as it is shown: `127.0.0.1:8443`, `[::1]:8443`.
    package static func address(host: String, port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Returns why an address could not be bound.
    package static func reason(_ error: any Error, host: String, port: Int) -> String {
        guard let error = error as? IOError else {
            return error is SocketAddressError || error is SocketAddressError.UnknownHost
                ? "'\(host)' is neither an address nor a known host name" : "\(error)"
        }
        switch error.errnoCode {
        case EADDRINUSE: return "port \(port) is in use by another process"
        case EACCES, EPERM:
            return port < 1024
                ? "no permission: ports below 1024 need root, CAP_NET_BIND_SERVICE or "
                    + "AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit"
                : "no permission"
        case EAFNOSUPPORT, EPROTONOSUPPORT: return "this machine has no \(host.contains(":") ? "IPv6" : "IPv4")"
        case EADDRNOTAVAIL:
            return host.contains(":")
                ? "this machine does not have the address, or has no IPv6" : "this machine does not have the address"
        default: return String(cString: strerror(error.errnoCode))
        }
    }
}
