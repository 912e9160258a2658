// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerHTTP
import OIDCBrokerPages
import Synchronization

/// The last pages for requests over a limit. They are kept because a client that floods the broker would otherwise make
/// it render a page for each request. A page is rendered anew when the log has a new line, whose reference it shows:
/// once a second at most.
final class RefusalPages: Sendable {
    /// What a page depends on.
    struct Key: Hashable {
        /// The name of the limit, or of the outcome.
        let name: String
        let language: Language
        /// The name of the app that the page shows; `nil` if it shows none.
        let app: String?
        /// Where the page leads back to; `nil` if nowhere.
        var link: PageLink?
        let reference: PageReference?
    }

    /// The maximum number of pages. If there are more, all are rendered anew.
    private static let maximum = 64

    private let made = Mutex<[Key: BrokerResponse]>([:])

    /// Returns the response with the page of a key.
    /// - Parameter make: Makes it if there is none yet.
    func response(_ key: Key, make: () -> BrokerResponse) -> BrokerResponse {
        if let last = made.withLock({ $0[key] }) { return last }
        let response = make()
        made.withLock {
            if $0.count >= Self.maximum { $0.removeAll() }
            $0[key] = response
        }
        return response
    }
}
