// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OpenIDConnect

/// The response of an endpoint that issues tokens to an app (RFC 6749 section 5.1).
struct TokenResponse: RequestHandling {
    let context: RequestContext
    /// The app that receives the tokens.
    let app: AppEntry
    /// The endpoint, as it appears in logs.
    let place: RepeatableLine.Place

    /// Issues the tokens of a record. The future does not fail.
    func issue(_ record: HandOffRecord, now: Int64) -> EventLoopFuture<BrokerResponse> {
        let key = app.signingKey
        return services.signing.sign(with: key, on: eventLoop) {
            try TokenIssuer(signingKey: key).response(record, now: now)
        }.map { response in
            if record.user != nil { services.apple.acknowledge(record, now: now) }
            return BrokerResponse.json(response.bytes)
        }.recover { _ in
            if let repetition = services.repetition(of: .notSigned, at: place) {
                logger.error("an ID token could not be signed", metadata: repetition)
            }
            return TokenError("server_error", "The token could not be signed.", status: .internalServerError).response
        }
    }
}
