// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerHTTP
import OIDCBrokerPages
import Synchronization

/// The last pages for requests over a limit. They are kept because a client that floods the broker would otherwise make
/// it render a page for each request. A page is rendered anew when the log has a new line, whose reference it shows:
/// once a second at most.
final class RefusalPages: Sendable {
    /// What a page depends on, besides its reference.
    struct Key: Hashable {
        let limit: RequestLimit
        let language: Language
        /// The name of the app that the page shows; `nil` if it shows none.
        let app: String?
    }

    /// The maximum number of pages. If there are more, all are rendered anew.
    private static let maximum = 64

    private let made = Mutex<[Key: (reference: PageReference, response: BrokerResponse)]>([:])

    /// Returns the response with the page of a key and a reference.
    /// - Parameter make: Makes it if the last one has another reference.
    func response(_ key: Key, _ reference: PageReference, make: () -> BrokerResponse) -> BrokerResponse {
        if let last = made.withLock({ $0[key] }), last.reference == reference { return last.response }
        let response = make()
        made.withLock {
            if $0.count >= Self.maximum { $0.removeAll() }
            $0[key] = (reference, response)
        }
        return response
    }
}
