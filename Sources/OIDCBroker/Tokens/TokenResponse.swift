// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse

/// The response of an endpoint that issues tokens to an app (RFC 6749 section 5.1).
struct TokenResponse: RequestHandling {
    let context: RequestContext
    /// The app that receives the tokens.
    let app: AppEntry
    /// The endpoint, as it appears in logs.
    let place: RepeatableEvent.Place
    /// The API that the access token is for; `nil` for one for UserInfo alone.
    let resource: BrokerConfiguration.Resource?

    /// Issues the tokens of a record. There is always a response.
    /// - Parameters:
    ///   - accessTokenID: The identifier of the access token, 16 bytes.
    ///   - accessTokenExpiry: The time from which the access token is not valid, in seconds since 1970.
    ///   - account: The member `account` of the response; `nil` if there is none.
    ///   - refreshToken: The refresh token for the app; `nil` if it gets none.
    ///   - sessionID: The session of the app, 16 bytes; `nil` if there is none. The access token ends with it. Only the ID
    ///     token of an app that hears of its end contains it.
    func issue(
        _ record: HandOffRecord, accessTokenID: [UInt8], accessTokenExpiry: Int64, account: String? = nil,
        refreshToken: String? = nil, sessionID: [UInt8]? = nil, now: Int64
    ) -> Eventual<BrokerResponse> {
        let accessToken: Signable
        if let resource, let key = app.resources?.signingKey {
            let payload = AccessToken.payload(
                of: record, for: resource, id: accessTokenID, expiry: accessTokenExpiry, sessionID: sessionID, now: now)
            guard let payload else { return .value(claimsAreTooLong(resource, record)) }
            accessToken = .unsigned(payload, key)
        } else {
            let opaque = AccessToken(
                id: accessTokenID, clientID: app.clientID, issuedAt: record.decidedAt ?? now,
                expiry: accessTokenExpiry, claims: AccessToken.claims(of: record, sessionID: sessionID))
            guard let sealed = opaque.sealed(by: snapshot.sealer) else { return .value(failure) }
            accessToken = .sealed(sealed)
        }
        let issuer = TokenIssuer(
            signingKey: app.signingKey, idTokenLifetime: app.idTokenLifetime,
            isMinimal: app.configuration.idTokenClaims == .minimal)
        let sid = app.signInSessions == nil ? nil : sessionID
        return services.signing.sign(with: app.slowestKey, on: eventLoop) {
            try issuer.response(
                record, accessToken: accessToken.text(), lifetime: accessTokenExpiry - now, account: account,
                refreshToken: refreshToken, sessionID: sid, now: now)
        }.flatMapThrowing { response in
            if record.user != nil { acknowledge(record) }
            return BrokerResponse.json(response.bytes)
        }.recover { _ in failure }
    }

    /// An access token, which for an API is signed where the ID token is.
    private enum Signable: Sendable {
        case sealed(String)
        case unsigned(JSONObject, SigningKey)

        func text() throws -> String {
            switch self {
            case .sealed(let text): return text
            case .unsigned(let payload, let key): return try AccessToken.sign(payload, by: key)
            }
        }
    }

    private var failure: BrokerResponse {
        if let repetition = services.repetition(of: .notSigned, at: place) {
            logger.error("cannot sign an ID token", metadata: repetition)
        }
        return TokenError("server_error", "The token could not be signed.", status: .internalServerError).response
    }

    /// The response if a token for an API cannot have what the API decides by.
    private func claimsAreTooLong(
        _ resource: BrokerConfiguration.Resource, _ record: HandOffRecord
    ) -> BrokerResponse {
        if let repetition = services.repetition(of: .longClaims, login: record.reference) {
            logger.warning(
                "access token not issued: the claims of its resource are too long",
                metadata: repetition.merging([
                    "auth.detail": "\(resource.prefix)claims", "auth.app": "\(app.configuration.name)",
                ]) { own, _ in own })
        }
        return TokenError(
            InvalidTarget.code,
            "The claims of the access token are longer than \(HandedClaims.maximumListedLength) bytes."
        ).response
    }
}
