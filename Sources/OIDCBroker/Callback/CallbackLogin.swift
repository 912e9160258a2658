// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerState
import OpenIDRelyingParty

/// A login whose user agent, provider and recipient are all known to match. It is a class because every closure of
/// a callback captures it.
final class CallbackLogin: Sendable {
    let state: LoginState
    let keys: LoginKeys
    /// The value of the login's cookie.
    let binding: [UInt8]
    /// What the cookies of all logins in the browser begin with.
    var browser: [UInt8] { Array(binding.prefix(LoginEntropy.browserByteCount)) }
    let provider: ProviderEntry
    /// Who gets the sign-in.
    let recipient: LoginRecipient
    let cookieName: String
    /// Apple's `user` field as received; `nil` if there is none.
    let user: WireText?
    /// The reference of the login.
    let reference: PageReference

    init(
        state: LoginState, keys: LoginKeys, binding: [UInt8], provider: ProviderEntry, recipient: LoginRecipient,
        cookieName: String, user: WireText?
    ) {
        self.state = state
        self.keys = keys
        self.binding = binding
        self.provider = provider
        self.recipient = recipient
        self.cookieName = cookieName
        self.user = user
        reference = PageReference(loginID: state.loginID)
    }

    /// The values against which the relying party validates the callback, from the state and the user agent's cookie.
    var expectation: SignInExpectation {
        SignInExpectation(
            rawNonce: keys.rawNonce(loginID: state.loginID, binding: binding),
            codeVerifier: keys.codeVerifier(loginID: state.loginID, binding: binding),
            maximumAge: state.maximumAge,
            // On a shared callback path only `iss` identifies the provider that sent the code. That the provider
            // announced it at the start does not imply that its metadata still does (mix-up, RFC 9207).
            requiresIssuer: provider.mustAnnounceIssuer,
            // Without a key the exchange fails.
            dpop: try? keys.dpop(loginID: state.loginID, binding: binding, at: provider))
    }
}
