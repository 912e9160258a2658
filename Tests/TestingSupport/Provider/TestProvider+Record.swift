// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
package import OpenIDRelyingParty
import Synchronization

/// What happened so far.
extension TestProvider {
    /// Every request, in order.
    package var requests: [ProviderRequest] { state.withLock { $0.requests } }

    /// The paths of the requests.
    package var paths: [String] { requests.map(\.url.path) }

    /// How many requests there were to a path.
    package func count(_ path: String) -> Int { requests.count { $0.url.path == path } }

    /// The forms of the token requests.
    package var tokenForms: [Query] { requests.filter { $0.url.path == "/token" }.map { Query($0.form ?? "") } }

    /// Every code and token that it issued.
    package var issuedSecrets: [String] { state.withLock { $0.issued } }

    /// The refresh tokens that are valid.
    package var refreshTokens: Set<String> { state.withLock { $0.refreshTokens } }

    /// Notes secrets that it issued.
    func note(issued secrets: String...) {
        state.withLock { $0.issued += secrets }
    }
}
