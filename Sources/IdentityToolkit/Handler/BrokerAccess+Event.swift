// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages

extension BrokerAccess {
    /// Returns the page of a popup, which posts an event to the window that opened it, at exactly one origin.
    /// - Parameters:
    ///   - event: The event.
    ///   - origin: The origin.
    ///   - handlerURL: The URL of the handler page.
    ///   - language: The language of the page; `nil` for that of the user agent.
    func page(
        posting event: HandlerEvent, to origin: WebOrigin, handlerURL: String, language: Language?
    ) -> BrokerResponse {
        let data: JSONObject = [
            "origin": .string(origin.text), "authEvent": .object(event.members(handlerURL: handlerURL)),
        ]
        return page(posting: data.scriptText, language: language)
    }

    /// Returns the response that begins a login by redirect: a page that keeps where the login began, and then goes where
    /// a redirect leads. A URL of a page is longer than a `state` may be.
    /// - Parameters:
    ///   - page: The page at which the login began.
    ///   - response: The redirect.
    ///   - location: Where it leads.
    ///   - language: The language of the page; `nil` for that of the user agent.
    func page(
        keeping page: RedirectURL, then response: BrokerResponse, to location: String, language: Language?
    ) -> BrokerResponse {
        let data: JSONObject = [
            "origin": .string(page.origin.text), "rest": .string(page.rest), "next": .string(location),
        ]
        var kept = self.page(redirecting: data.scriptText, language: language).noting(of: response)
        kept.head.headerFields[fields: .setCookie] = response.head.headerFields[fields: .setCookie]
        return kept
    }

    /// Returns the page that goes back to the page at which a login began, or to the root of its origin if the browser
    /// did not keep it.
    /// - Parameters:
    ///   - result: What the page gets in its fragment, pairs like those of a form. Its own fragment follows as `fragment`.
    ///   - origin: The origin of the page.
    ///   - language: The language of the page; `nil` for that of the user agent.
    func page(returning result: String, to origin: WebOrigin, language: Language?) -> BrokerResponse {
        let data: JSONObject = ["origin": .string(origin.text), "result": .string(result)]
        return page(redirecting: data.scriptText, language: language)
    }
}
