// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// The endpoint at which an app redeems its hand-off code (`POST token`; RFC 6749 section 4.1.3, RFC 7636 section 4.5).
struct TokenEndpoint: RequestHandling {
    let context: RequestContext

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        AppAuthentication(snapshot: snapshot).respond(to: request) { form, app throws(TokenError) in
            try services.signing.reserve(app.signingKey) { () throws(TokenError) in try redeem(form, app) }
        }
    }

    private func redeem(_ form: Parameters, _ app: AppEntry) throws(TokenError) -> EventLoopFuture<BrokerResponse> {
        guard let grantType = AppAuthentication.value("grant_type", form) else {
            throw TokenError("invalid_request", "grant_type is missing.")
        }
        guard grantType == "authorization_code" else {
            throw TokenError("unsupported_grant_type", "grant_type must be authorization_code.")
        }
        func required(_ name: String) throws(TokenError) -> WireText {
            guard let value = AppAuthentication.value(name, form) else {
                throw TokenError("invalid_request", "\(name) is missing.")
            }
            return value
        }
        let code = try required("code")
        let isBoundByNonce = app.configuration.codeBinding == .nonce
        let verifier =
            try isBoundByNonce
            ? AppAuthentication.value("code_verifier", form) : required("code_verifier")
        let redirectURI = try required("redirect_uri")
        guard let handOff = HandOff(code: code) else { throw .invalidGrant }
        let now = services.clock.now()
        return services.store.take(handOff.key, now: now, on: eventLoop).flatMap { sealed in
            // The code is now used up: any mismatch from here on invalidates it.
            guard let record = sealed.flatMap({ handOff.open($0) }),
                record.clientID.hasSameBytes(as: app.clientID),
                redirectURI.hasSameBytes(as: record.redirectURI), record.issuer.hasSameBytes(as: snapshot.issuer),
                Self.isBound(record, by: verifier, mayBeUnchallenged: isBoundByNonce)
            else {
                if let repetition = services.repetition(of: .refusedCode, at: .token) {
                    logger.info(
                        "a hand-off code was refused",
                        metadata: repetition.merging(["auth.app": "\(app.configuration.name)"]) { own, _ in own })
                }
                return eventLoop.makeSucceededFuture(TokenError.invalidGrant.response)
            }
            logger.debug(
                "a hand-off code was redeemed", metadata: ["auth.app": "\(app.configuration.name)"])
            return TokenResponse(context: context, app: app, place: .token).issue(record, now: now)
        }.recover { _ in
            TokenError("temporarily_unavailable", "The broker is not available.", status: .serviceUnavailable).response
        }
    }

    /// Returns whether a verifier is that of the record's challenge. Without a challenge there must be no verifier
    /// either: the challenge may have been removed from the app's request (RFC 9700 section 2.1.1, PKCE downgrade).
    private static func isBound(
        _ record: HandOffRecord, by verifier: WireText?, mayBeUnchallenged: Bool
    ) -> Bool {
        guard let challenge = record.codeChallenge else { return mayBeUnchallenged && verifier == nil }
        guard let sent = verifier.flatMap({ CodeVerifier($0) }) else { return false }
        return ConstantTime.equal(sent.challengeBytes, challenge)
    }
}
