// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration

extension WebOrigin {
    /// The origin of the page that a request comes from, by its `Referer` (RFC 9110 section 10.1.3); `nil` if it has
    /// another form. Only the beginning of a long one is read.
    init?(referer: String) {
        let beginning = String(Substring(referer.utf8.prefix(RedirectURL.maximumLength)))
        guard let page = RedirectURL(WireText(beginning)) else { return nil }
        self = page.origin
    }
}
