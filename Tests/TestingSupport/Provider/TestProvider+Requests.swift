// SPDX-License-Identifier: Apache-2.0

import JOSE
import Synchronization
import OpenIDRelyingParty

/// Pushed requests and revocation.
extension TestProvider {
    /// The pushed authorization request endpoint (RFC 9126).
    func push(_ request: ProviderRequest, _ behavior: Behavior) -> ProviderResponse {
        let form = Query(request.form ?? "")
        guard behavior.fixed != nil || isClient(request, form, behavior) else {
            return .json(["error": "invalid_client"], status: 401)
        }
        let reference =
            behavior.fixed?.requestURI
            ?? "urn:ietf:params:oauth:request_uri:" + Base64URL.encode(SecureRandom.bytes(24))
        state.withLock { $0.pushed[reference] = form }
        return .json(["request_uri": .string(reference), "expires_in": 60], status: 201)
    }

    /// An authorization request that was pushed, once.
    package func pushed(_ reference: String) -> Query? {
        state.withLock { $0.pushed.removeValue(forKey: reference) }
    }

    /// The revocation endpoint (RFC 7009).
    func revoke(_ request: ProviderRequest, _ behavior: Behavior) -> ProviderResponse {
        guard behavior.fixed == nil else { return .empty(status: 200) }
        let form = Query(request.form ?? "")
        guard isClient(request, form, behavior) else { return .json(["error": "invalid_client"], status: 401) }
        if behavior.revocationStatus == 200 { state.withLock { _ = $0.refreshTokens.remove(form["token"] ?? "") } }
        return .json(
            behavior.revocationStatus == 400 ? ["error": "unsupported_token_type"] : [:],
            status: behavior.revocationStatus)
    }
}
