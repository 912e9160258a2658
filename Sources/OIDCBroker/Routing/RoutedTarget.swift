// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP

/// The target of a request (RFC 9112 section 3.2) as the router and the tracer see it, taken apart once.
struct RoutedTarget {
    /// The path if it is one that can be the broker's: visible ASCII, which is cheap to compare. An HTTP/2 path may
    /// contain any byte.
    let path: String?
    /// What follows the first question mark.
    let query: Substring
    /// The endpoint at the path; `nil` if there is none that does not depend on names of the configuration.
    let endpoint: EndpointPath?

    /// - Parameters:
    ///   - target: The target as received; `nil` is `/`.
    ///   - paths: The broker's own paths.
    init(_ target: String?, _ paths: BrokerPaths) {
        let target = target ?? "/"
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        query = mark.map { target[target.utf8.index(after: $0)...] } ?? ""
        path = WireText(target[..<(mark ?? target.endIndex)]).visibleASCII(atMost: BrokerPaths.longest)
        endpoint = path.flatMap { paths.endpoint(at: $0) }
    }
}
