// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// `POST token`: an app redeems its one-time code (RFC 6749 section 4.1.3, RFC 7636 section 4.5).
struct TokenEndpoint {
    let snapshot: BrokerSnapshot
    let services: BrokerServices
    let eventLoop: any EventLoop

    func respond(to request: BrokerRequest) -> BrokerAnswer {
        let origin = request.head.headerFields[.origin]
        switch request.head.method {
        case .options: return .now(preflight(origin))
        case .post: break
        default:
            var response = BrokerResponse.plain(status: .methodNotAllowed, "That method is not allowed here.\n")
            response.head.headerFields[.allow] = "POST, OPTIONS"
            return .now(response)
        }
        do throws(TokenError) {
            let form = try read(request)
            let app = try authenticate(request.head.headerFields, form)
            do throws(TokenError) {
                return .later(
                    try redeem(form, app).map { response in
                        allowing(origin, of: app, response)
                    })
            } catch {
                return .now(allowing(origin, of: app, error.response))
            }
        } catch {
            return .now(error.response)
        }
    }

    private func read(_ request: BrokerRequest) throws(TokenError) -> Parameters {
        guard FormBody.isForm(request.head.headerFields) else {
            throw TokenError("invalid_request", "The request must be a form.")
        }
        let form: Parameters
        do {
            form = try FormURLEncoding.parse(request.body.readableBytesView)
        } catch {
            throw TokenError("invalid_request", "\(error).")
        }
        var seen: Set<String> = []
        for parameter in form.all where !seen.insert(parameter.name).inserted {
            throw TokenError("invalid_request", "\(ParametersError.doubled(parameter.name)).")
        }
        return form
    }

    /// The app that asks. A confidential app without its secret and a public app with one are refused alike.
    private func authenticate(_ fields: HTTPFields, _ form: Parameters) throws(TokenError) -> AppEntry {
        let formID = Self.value("client_id", form)
        let formSecret = Self.value("client_secret", form)
        let clientID: String?
        let secret: String?
        let isBasic: Bool
        if let header = fields[.authorization] {
            guard fields[values: .authorization].count == 1, let pair = BasicCredentials(header) else {
                throw .invalidClient(challenges: true)
            }
            guard formSecret == nil, formID == nil || formID == pair.user else {
                throw TokenError("invalid_request", "The app proves itself in two ways.")
            }
            (clientID, secret, isBasic) = (pair.user, pair.password, true)
        } else {
            (clientID, secret, isBasic) = (formID, formSecret, false)
        }
        guard let clientID, let app = snapshot.app(clientID: clientID) else {
            throw .invalidClient(challenges: isBasic)
        }
        switch (app.isPublic, secret) {
        case (true, nil): return app
        case (false, let secret?) where app.isSecret(secret): return app
        default: throw .invalidClient(challenges: isBasic)
        }
    }

    private func redeem(_ form: Parameters, _ app: AppEntry) throws(TokenError) -> EventLoopFuture<BrokerResponse> {
        guard let grantType = Self.value("grant_type", form) else {
            throw TokenError("invalid_request", "grant_type is missing.")
        }
        guard grantType == "authorization_code" else {
            throw TokenError("unsupported_grant_type", "grant_type must be authorization_code.")
        }
        func required(_ name: String) throws(TokenError) -> String {
            guard let value = Self.value(name, form) else {
                throw TokenError("invalid_request", "\(name) is missing.")
            }
            return value
        }
        let code = try required("code")
        let verifier = try required("code_verifier")
        let redirectURI = try required("redirect_uri")
        guard let handOff = HandOff(code: code) else { throw .invalidGrant }
        let now = services.clock.now()
        return services.store.take(handOff.key, now: now, on: eventLoop).map { sealed in
            // Taken: whatever does not match from here on burns the code.
            guard let record = sealed.flatMap({ handOff.open($0) }),
                record.clientID.hasSameBytes(as: app.clientID),
                record.redirectURI.hasSameBytes(as: redirectURI), record.issuer.hasSameBytes(as: snapshot.issuer),
                let verifier = CodeVerifier(verifier),
                ConstantTime.equal(verifier.challengeBytes, record.codeChallenge)
            else {
                services.logger.info(
                    "a hand-off code was refused", metadata: ["auth.app": "\(app.configuration.name)"])
                return TokenError.invalidGrant.response
            }
            guard let answer = try? snapshot.tokenIssuer.response(record, now: now) else {
                services.logger.error("an ID token could not be signed")
                return TokenError("server_error", "The token could not be signed.", status: .internalServerError)
                    .response
            }
            services.logger.debug(
                "a hand-off code was redeemed", metadata: ["auth.app": "\(app.configuration.name)"])
            return BrokerResponse.json(answer.serialized())
        }.recover { _ in
            TokenError("temporarily_unavailable", "The broker is not available.", status: .serviceUnavailable).response
        }
    }

    // MARK: Cross-origin

    /// Answers a preflight: it does not say which app asks, so any app's origin may go on.
    private func preflight(_ origin: String?) -> BrokerResponse {
        var response = BrokerResponse.plain(status: .noContent, "")
        response.head.headerFields[.vary] = "Origin"
        guard let origin, snapshot.origins.contains(origin) else { return response }
        response.head.headerFields[.accessControlAllowOrigin] = origin
        response.head.headerFields[.accessControlAllowMethods] = "POST"
        response.head.headerFields[.accessControlAllowHeaders] = "authorization, content-type"
        response.head.headerFields[.accessControlMaxAge] = "600"
        return response
    }

    /// Lets a page read the answer only if it stands on one of this app's own origins.
    private func allowing(_ origin: String?, of app: AppEntry, _ response: BrokerResponse) -> BrokerResponse {
        var response = response
        response.head.headerFields[.vary] = "Origin"
        if let origin, app.origins.contains(origin) {
            response.head.headerFields[.accessControlAllowOrigin] = origin
        }
        return response
    }

    private static func value(_ name: String, _ form: Parameters) -> String? {
        (try? form.nonEmptyValue(name)) ?? nil
    }
}
