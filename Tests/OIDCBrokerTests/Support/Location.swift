// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBroker
import OIDCBrokerHTTP
import Testing
import TestingSupport

/// Where a 303 sends the browser.
struct Location {
    let text: String
    /// What stands before `?`.
    let base: String
    let query: Query

    init(_ response: BrokerResponse, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(response.head.status == .seeOther, "\(response.text)", sourceLocation: sourceLocation)
        let text = try #require(response.head.headerFields[.location], sourceLocation: sourceLocation)
        self.text = text
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        base = String(parts[0])
        query = Query(parts.count == 2 ? parts[1] : "")
    }

    subscript(name: String) -> String? { query[name] }

    /// Expects that an app is told an error, and no code, as the response to the request with ``AppClient/state``.
    func expectError(
        _ error: String, at redirectURI: String = AppClient.shop.redirectURI,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(base == redirectURI, sourceLocation: sourceLocation)
        #expect(self["error"] == error, sourceLocation: sourceLocation)
        #expect(self["state"] == "state-of-the-app", sourceLocation: sourceLocation)
        #expect(self["iss"] == Installation.issuer, sourceLocation: sourceLocation)
        #expect(self["code"] == nil, sourceLocation: sourceLocation)
    }
}
