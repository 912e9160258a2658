// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty

/// The name that comes with a person's first consent, and never again: nothing that goes wrong later may lose it.
extension CallbackEndpoint {
    /// Apple's field `user`, where it came by a form; a query brings none.
    static func user(in parameters: Parameters, _ mode: ResponseMode) -> WireText? {
        guard mode == .formPost else { return nil }
        return (try? parameters.nonEmptyValue("user")) ?? nil
    }

    /// The name that goes to the app with a sign-in.
    func name(of signIn: VerifiedSignIn, _ login: Login) -> JSONObject? {
        services.apple.name(
            with: login.user, issuer: signIn.issuer, subject: signIn.subject, now: services.clock.now())?.object
    }

    /// Keeps the name of a person whose code could not be exchanged. Whose it is the ID token beside the code says.
    func keepName(of login: Login, _ validated: Validated, after error: RelyingPartyError) {
        guard error.step == .token, case .idToken(let front) = validated else { return }
        let person = front.signIn
        _ = services.apple.name(
            with: login.user, issuer: person.issuer, subject: person.subject, now: services.clock.now())
    }
}
