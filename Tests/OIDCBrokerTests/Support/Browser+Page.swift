// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

extension Browser {
    /// The form of a page.
    struct PageForm {
        let action: String
        let fields: [(String, String)]
        /// Names and values of the buttons that have one.
        let buttons: [(String, String)]

        init(_ page: BrokerResponse, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let html = page.text
            let found = html.firstMatch(of: /<form method="post" action="([^"]*)"/).map { Self.unescaped($0.1) }
            action = try #require(found, "\(html)", sourceLocation: sourceLocation)
            fields = html.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
                (Self.unescaped($0.1), Self.unescaped($0.2))
            }
            buttons = html.matches(of: /<button [^>]*name="([^"]*)" value="([^"]*)"/).map {
                (Self.unescaped($0.1), Self.unescaped($0.2))
            }
        }

        private static func unescaped(_ text: Substring) -> String {
            String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
    }

    /// Sends the form of a page of the broker, as the person does by its button.
    ///
    /// A browser that is told `no-referrer` says `Origin: null` with a form, same origin or not (Fetch, "append a request
    /// Origin header"): so does this one.
    mutating func submit(_ page: BrokerResponse, pressing button: (String, String)? = nil) throws -> BrokerResponse {
        let form = try PageForm(page)
        let meta = page.text.firstMatch(of: /<meta name="referrer" content="([^"]*)">/).map { String($0.1) }
        let policy = meta ?? page.head.headerFields[.referrerPolicy] ?? ""
        let origin = policy == "no-referrer" ? "null" : installation.configuration.publicURL.origin
        return try post(
            form.action, form.fields + (button.map { [$0] } ?? []), site: .sameOrigin, origin: origin)
    }
}
