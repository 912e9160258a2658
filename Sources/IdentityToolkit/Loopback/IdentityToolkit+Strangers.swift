// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerHTTP

// Web pages of strangers, which can have a browser on this machine send requests to it, though not read the responses.
extension IdentityToolkit {
    /// Whether a web page sends a request that it has no part in. Such a request is refused before anything counts it: the
    /// client is this machine, and what it may be refused belongs to the SDKs and operators on it.
    ///
    /// A page of an authorized domain says its origin in whatever it sends for an SDK. No page has a part in the admin
    /// operations, and their SDKs send neither field. A start is a navigation from any page, which leads to the public URL
    /// and counts there.
    func isOfStranger(_ request: BrokerRequest, isAdmin: Bool, with broker: BrokerAccess) -> Bool {
        let origin = ToolkitCrossOrigin(request.headerFields)
        guard origin.isSent else { return broker.isOfAnotherOrigin(request) }
        return isAdmin || !origin.isAllowed(by: apps)
    }
}
