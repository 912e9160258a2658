// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The pages for browsers over their rate under one configuration, of each language the last one. Those of one line in
/// the log have its reference and are the same bytes, so that whoever floods the broker makes it write one a second.
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
