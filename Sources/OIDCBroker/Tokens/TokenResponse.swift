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

    /// Issues the tokens of a record. There is always a response.
    /// - Parameters:
    ///   - accessTokenID: The identifier of the access token, 16 bytes.
    ///   - accessTokenExpiry: The time from which the access token is not valid, in seconds since 1970.
    ///   - account: The member `account` of the response; `nil` if there is none.
    ///   - refreshToken: The refresh token for the app; `nil` if it gets none.
    func issue(
        _ record: HandOffRecord, accessTokenID: [UInt8], accessTokenExpiry: Int64, account: String? = nil,
        refreshToken: String? = nil, now: Int64
    ) -> Eventual<BrokerResponse> {
        let key = app.signingKey
        let accessToken = AccessToken(
            id: accessTokenID, clientID: app.clientID, issuedAt: record.admittedAt ?? now, expiry: accessTokenExpiry,
            claims: record.claims)
        guard let accessToken = accessToken.sealed(by: snapshot.sealer) else {
            return .value(failure)
        }
        let issuer = TokenIssuer(
            signingKey: key, idTokenLifetime: app.idTokenLifetime,
            isMinimal: app.configuration.idTokenClaims == .minimal)
        return services.signing.sign(with: key, on: eventLoop) {
            try issuer.response(
                record, accessToken: accessToken, lifetime: accessTokenExpiry - now, account: account,
                refreshToken: refreshToken, now: now)
        }.flatMapThrowing { response in
            if record.user != nil { acknowledge(record) }
            return BrokerResponse.json(response.bytes)
        }.recover { _ in failure }
    }

    private var failure: BrokerResponse {
        if let repetition = services.repetition(of: .notSigned, at: place) {
            logger.error("cannot sign an ID token", metadata: repetition)
        }
        return TokenError("server_error", "The token could not be signed.", status: .internalServerError).response
    }
}
