// SPDX-License-Identifier: Apache-2.0

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
}
