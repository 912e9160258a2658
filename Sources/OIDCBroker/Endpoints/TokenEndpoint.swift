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
        AppAuthentication(context: context).respond(to: request) { form, app throws(TokenError) in
            try services.signing.reserve(app.signingKey, for: .redemption) { () throws(TokenError) in
                try redeem(form, app)
            }
        }
    }

    private func redeem(_ form: Parameters, _ app: AppEntry) throws(TokenError) -> Eventual<BrokerResponse> {
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
        return services.take(handOff.key, now: now, on: eventLoop).flatMap(on: eventLoop) { sealed in
            guard let sealed else { return .future(refuse(handOff, app, now: now)) }
            // The code is now used up: any mismatch from here on invalidates it.
            guard let record = handOff.open(sealed),
                record.clientID.hasSameBytes(as: app.clientID),
                redirectURI.hasSameBytes(as: record.redirectURI), record.issuer.hasSameBytes(as: snapshot.issuer),
                Self.isBound(record, by: verifier, mayBeUnchallenged: isBoundByNonce)
            else { return .value(refusal(app)) }
            return issue(record, handOff, app, now: now)
        }.recover { _ in TokenError.unavailable.response }
    }

    /// Issues the tokens of a record. The mark of its code makes a second redemption known, which
    /// ``refuse(_:_:now:)`` recognizes.
    private func issue(
        _ record: HandOffRecord, _ handOff: HandOff, _ app: AppEntry, now: Int64
    ) -> Eventual<BrokerResponse> {
        let mark = handOff.redemptionKey
        return services.insertIfAbsent(
            mark, value: [], expiry: now + AccessToken.lifetime, now: now, on: eventLoop
        ).flatMap(on: eventLoop) { insertion in
            // In a store that is full of other marks, a second redemption would not be recognized. The app still gets the
            // ID token, but an access token that is not valid.
            let expiry = insertion == .inserted ? now + AccessToken.lifetime : now
            let tokens = TokenResponse(context: context, app: app, place: .token)
            return tokens.issue(
                record, accessTokenID: Self.accessTokenID(mark), accessTokenExpiry: expiry, now: now
            ).flatMapThrowing { response in
                if response.head.status == .ok {
                    logger.debug("a hand-off code was redeemed", metadata: ["auth.app": "\(app.configuration.name)"])
                }
                return response
            }
        }
    }

    /// Refuses a code without a record. If it was redeemed before, the access token of that redemption ends (RFC 6749
    /// section 4.1.2). A redemption at the same moment may not have its mark yet; only one of them gets tokens.
    private func refuse(_ handOff: HandOff, _ app: AppEntry, now: Int64) -> EventLoopFuture<BrokerResponse> {
        let mark = handOff.redemptionKey
        return services.store.contains(mark, now: now, on: eventLoop).flatMap { isRedeemed in
            guard isRedeemed else { return eventLoop.makeSucceededFuture(refusal(app)) }
            return end(accessToken: Self.accessTokenID(mark)).map {
                $0 ? refusal(app) : TokenError.unavailable.response
            }
        }
    }

    /// The identifier of the access token of a code, which only the code yields.
    private static func accessTokenID(_ mark: SingleUseKey) -> [UInt8] { Array(mark.bytes[..<16]) }

    private func refusal(_ app: AppEntry) -> BrokerResponse {
        if let repetition = services.repetition(of: .refusedCode, at: .token) {
            logger.info(
                "a hand-off code was refused",
                metadata: repetition.merging(["auth.app": "\(app.configuration.name)"]) { own, _ in own })
        }
        return TokenError.invalidGrant.response
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
