// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

extension Browser {
    /// The provider sends the browser back with a fragment: the browser asks without it, runs the page's script, and so
    /// posts the fragment.
    mutating func bringFragment(
        _ response: [(String, String)], to path: String = Installation.handler
    ) throws -> BrokerResponse {
        try bringFragment(text: Query.encode(response), to: path)
    }

    /// The same with the fragment as it stands in the URL.
    mutating func bringFragment(text: String, to path: String = Installation.handler) throws -> BrokerResponse {
        let page = try get(path)
        #expect(page.status == 200)
        #expect(page.text.contains("<script>"))
        let form = try PageForm(page)
        #expect(form.hidden.map(\.0) == ["fragment"])
        return try postFragment(text, to: form.action)
    }

    /// What the page's script sends.
    mutating func postFragment(
        _ text: String, to path: String = Installation.handler, site: Site = .sameOrigin,
        origin: String = Installation.origin, _ change: (inout HTTPFields) -> Void = { _ in }
    ) throws -> BrokerResponse {
        try post(path, [("fragment", text)], site: site, origin: origin, change)
    }
}
