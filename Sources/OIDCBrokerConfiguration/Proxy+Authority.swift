// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

extension Proxy {
    /// Creates a proxy from `host:port`, where an IPv6 address is in brackets; `nil` if the text is anything else.
    package init?(authority text: String) {
        guard let url = AbsoluteURL("http://" + text), let port = url.port, url.path.isEmpty, url.query == nil else {
            return nil
        }
        self.init(host: url.host, port: port)
    }
}
