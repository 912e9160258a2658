// SPDX-License-Identifier: Apache-2.0

package import NIOCore

extension SocketAddress {
    /// The address as operators write it: `127.0.0.1:443`, `[::1]:443`, or the path of a Unix domain socket.
    package var text: String {
        switch self {
        case .v4: "\(ipAddress ?? ""):\(port ?? 0)"
        case .v6: "[\(ipAddress ?? "")]:\(port ?? 0)"
        case .unixDomainSocket: pathname ?? ""
        }
    }
}
