// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerHTTP
import OIDCBrokerPages
import Synchronization

/// The last page for browsers over their rate, in each language. It is kept because a client that floods the broker
/// would otherwise make it render a page for each request. A page is rendered anew when the log has a new line, whose
/// reference it shows: once a second at most.
final class BrowserRatePages: Sendable {
    private let made = Mutex<[Language: (reference: PageReference, response: BrokerResponse)]>([:])

    /// Returns the response with the page of a language and a reference.
    /// - Parameter make: Makes it if the last one has another reference.
    func response(
        in language: Language, _ reference: PageReference, make: () -> BrokerResponse
    ) -> BrokerResponse {
        if let last = made.withLock({ $0[language] }), last.reference == reference { return last.response }
        let response = make()
        made.withLock { $0[language] = (reference, response) }
        return response
    }
}
