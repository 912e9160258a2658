// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

extension PageForm {
    /// The form of a page.
    init(_ page: BrokerResponse, sourceLocation: SourceLocation = #_sourceLocation) throws {
        self = try #require(PageForm(html: page.text), "\(page.text)", sourceLocation: sourceLocation)
    }
}

extension Browser {
    /// Sends the form of a page of the broker, as the user does by its button.
    ///
    /// A browser that is told `no-referrer` says `Origin: null` with a form, same origin or not (Fetch, "append a request
    /// Origin header"): so does this one.
    mutating func submit(_ page: BrokerResponse, pressing button: (String, String)? = nil) throws -> BrokerResponse {
        let form = try PageForm(page)
        let meta = page.text.firstMatch(of: /<meta name="referrer" content="([^"]*)">/).map { String($0.1) }
        let policy = meta ?? page.head.headerFields[.referrerPolicy] ?? ""
        let origin = policy == "no-referrer" ? "null" : installation.configuration.publicURL.origin
        return try post(
            form.action, form.hidden + (button.map { [$0] } ?? []), site: .sameOrigin, origin: origin)
    }
}
