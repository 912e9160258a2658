// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerConfiguration

extension WebAuthority {
    /// Whether an IP address is written as browsers write it into an origin. Any other form would never match.
    var isCanonicalAddress: Bool {
        let isInBrackets = host.first == UInt8(ascii: "[")
        let bytes = isInBrackets ? host[1..<(host.count - 1)] : host[...]
        guard let text = String(validating: bytes, as: UTF8.self),
            let address = try? SocketAddress(ipAddress: text, port: 0),
            let canonical = address.ipAddress
        else { return false }
        return canonical.utf8.elementsEqual(bytes)
    }
}
