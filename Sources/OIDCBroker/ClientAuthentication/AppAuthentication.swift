// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse

/// The common part of the endpoints to which apps post forms: the method, the form, client authentication (RFC 6749
/// section 2.3, OpenID Connect Core 1.0 section 9), the limits on who asks, and the origins that may read the response.
///
/// A confidential app is never limited by its address: it is a server, which may stand behind one address with others. So
/// the limit on refused requests of an address is asked after the authentication, whose cost is bounded, and before
/// anything else. To the client of an app that does not authenticate, a refusal and a request over the limit are the same.
/// A request of a public app counts as a refused one while it is under way.
struct AppAuthentication: RequestHandling {
    let context: RequestContext
    /// The counts of requests that the endpoint does not report itself.
    let requests: AppRequests
    private var limits: LimitResponses { LimitResponses(context: context) }

    /// The endpoint's own part.
    typealias Endpoint =
        @Sendable (_ form: Parameters, _ app: AppEntry) throws(TokenError) -> Eventual<BrokerResponse>

    /// Responds to a form of an authenticated app.
    /// - Parameter endpoint: The endpoint's own part. The app's web pages may read the error that it throws.
    func respond(to request: BrokerRequest, _ endpoint: @escaping Endpoint) -> Eventual<BrokerResponse> {
        let crossOrigin = CrossOrigin(request)
        switch request.method {
        case .options: return .value(crossOrigin.preflight(request, allowing: "POST", snapshot: snapshot))
        case .post: break
        default:
            let refusal = refused(limits.counted(.methodNotAllowed("POST, OPTIONS")), nil)
            return .value(crossOrigin.allowing(refusal, for: snapshot))
        }
        do throws(TokenError) {
            let form = try read(request)
            guard !form.hasValue("client_assertion"), !form.hasValue("client_assertion_type") else {
                return try respond(toAssertionIn: form, request.headerFields, crossOrigin, endpoint)
            }
            return respond(to: form, of: try authenticate(request.headerFields, form), crossOrigin, endpoint)
        } catch {
            // The app is not known, so that the pages of all apps see why.
            return .value(crossOrigin.allowing(refused(limits.counted(error.response), nil), for: snapshot))
        }
    }

    /// Counts and audits a response that no endpoint has.
    private func refused(_ response: BrokerResponse, _ app: AppEntry?) -> BrokerResponse {
        requests.record(response, app, in: context)
    }

    private func respond(
        to form: Parameters, of app: AppEntry, _ crossOrigin: CrossOrigin, _ endpoint: Endpoint
    ) -> Eventual<BrokerResponse> {
        limits.countingFailures(if: app.isPublic) {
            response(to: form, of: app, endpoint)
        }.flatMapThrowing { crossOrigin.allowing(refused($0, app), for: app) }
    }

    private func response(to form: Parameters, of app: AppEntry, _ endpoint: Endpoint) -> Eventual<BrokerResponse> {
        if let over = limits.refusal(ofRequestOf: app) { return .value(over) }
        do throws(TokenError) {
            return try endpoint(form, app)
        } catch {
            return .value(error.response)
        }
    }

    // MARK: private_key_jwt

    private func respond(
        toAssertionIn form: Parameters, _ fields: HTTPFields, _ crossOrigin: CrossOrigin,
        _ endpoint: @escaping Endpoint
    ) throws(TokenError) -> Eventual<BrokerResponse> {
        guard fields[.authorization] == nil, FormBody.value("client_secret", form) == nil else {
            throw TokenError("invalid_request", "The app uses two client authentication methods.")
        }
        guard FormBody.value("client_assertion_type", form)?.hasSameBytes(asASCII: AppAssertion.type) == true,
            let text = FormBody.value("client_assertion", form)
        else { throw refuse("client_assertion or its type is missing", nil) }
        let assertion: AppAssertion
        do throws(AppAssertion.Refusal) {
            assertion = try AppAssertion(text)
        } catch {
            throw refuse(error.reason, nil)
        }
        guard let app = snapshot.app(clientID: assertion.clientID), let keys = app.keys,
            FormBody.value("client_id", form).map({ $0.hasSameBytes(as: app.clientID) }) ?? true
        else { throw refuse("it names an app without keys, or a different app than client_id", nil) }
        // At the other endpoints no library is known that sends one again.
        let mayRepeat = app.configuration.assertionReuse && requests == .redemptions
        return keys.verified(assertion.signature, on: eventLoop).flatMapThrowing { payload in
            try AppAssertion.validate(
                payload, of: app.clientID, audience: audience(of: app), mayRepeat: mayRepeat,
                now: services.clock.now())
        }.flatMap { valid -> Eventual<SingleUseClaim> in
            if mayRepeat { return .value(.won) }
            // Only now, since others than the app could otherwise fill the store.
            return store.claim(valid.key, seconds: valid.expiry - services.clock.now(), on: eventLoop)
        }.flatMap { claim in
            switch claim {
            case .won: return respond(to: form, of: app, crossOrigin, endpoint)
            case .lost:
                let refusal = refuse("it was used before; a library that sends it again needs assertion-reuse", app)
                return .value(crossOrigin.allowing(refused(refusal.response, app), for: app))
            default: return .value(crossOrigin.allowing(refused(TokenError.unavailable.response, app), for: app))
            }
        }.recover { error in
            let response =
                switch error {
                case let refusal as AppAssertion.Refusal: limits.counted(refuse(refusal.reason, app).response)
                case is JSONWebSignatureError: limits.counted(refuse("no key of the app verifies it", app).response)
                default: unverifiable(error, app)
                }
            return crossOrigin.allowing(refused(response, app), for: app)
        }
    }

    /// The only audience of an app's assertions (RFC 10070; FAPI 2.0 section 5.3.2.1).
    private func audience(of app: AppEntry) -> String {
        switch app.configuration.assertionAudience {
        case .issuer: snapshot.issuer
        case .tokenEndpoint: snapshot.configuration.publicURL.origin + snapshot.paths[.token]
        }
    }

    private func refuse(_ reason: String, _ app: AppEntry?) -> TokenError {
        if let repetition = services.repetition(of: .refusedAssertion, at: .token) {
            logger.info(
                "client assertion refused",
                metadata: repetition.merging([
                    "auth.detail": "\(LogText.detail(reason))",
                    "auth.app": "\(app?.configuration.name ?? "unknown")",
                ]) { own, _ in own })
        }
        return .invalidClient(challenges: false)
    }

    /// The response if the app's keys cannot be fetched, or the store cannot be reached.
    private func unverifiable(_ error: any Error, _ app: AppEntry) -> BrokerResponse {
        if let repetition = services.repetition(of: .unavailableKeys, at: .token) {
            let detail = (error as? RelyingPartyError)?.description ?? "the store cannot be reached"
            logger.warning(
                "cannot verify a client assertion",
                metadata: repetition.merging([
                    "auth.detail": "\(LogText.detail(detail))", "auth.app": "\(app.configuration.name)",
                ]) { own, _ in own })
        }
        return TokenError.unavailable.response
    }

    // MARK: The form

    private func read(_ request: BrokerRequest) throws(TokenError) -> Parameters {
        guard FormBody.isForm(request.headerFields) else {
            throw TokenError("invalid_request", "The request must be a form.")
        }
        let form: Parameters
        do {
            form = try FormURLEncoding.parse(request.body.readableBytesView)
        } catch {
            throw TokenError("invalid_request", "\(error).")
        }
        if let name = form.firstDuplicateName {
            throw TokenError("invalid_request", "\(ParametersError.duplicate(name)).")
        }
        return form
    }

    /// Authenticates the app. A confidential app without its secret and a public app with one are refused in the same
    /// way.
    private func authenticate(_ fields: HTTPFields, _ form: Parameters) throws(TokenError) -> AppEntry {
        let formID = FormBody.value("client_id", form)
        let formSecret = FormBody.value("client_secret", form)
        let clientIDs: [WireText]
        let secrets: [WireText]
        let isBasic: Bool
        if let header = fields[.authorization] {
            guard fields[values: .authorization].count == 1, let pair = BasicCredentials(WireText(header)) else {
                throw .invalidClient(challenges: true)
            }
            guard formSecret == nil, formID.map({ pair.users.contains($0) }) ?? true else {
                throw TokenError("invalid_request", "The app uses two client authentication methods.")
            }
            (clientIDs, secrets, isBasic) = (formID.map { [$0] } ?? pair.users, pair.passwords, true)
        } else {
            (clientIDs, secrets, isBasic) = (formID.map { [$0] } ?? [], formSecret.map { [$0] } ?? [], false)
        }
        guard let app = clientIDs.compactMap({ snapshot.app(clientID: $0) }).first else {
            throw .invalidClient(challenges: isBasic)
        }
        // Every form is compared, so that the time does not depend on which one matches.
        let isAuthenticated = app.isPublic ? secrets.isEmpty : secrets.map { app.isSecret($0) }.contains(true)
        guard isAuthenticated, app.keys == nil else { throw .invalidClient(challenges: isBasic) }
        return app
    }
}

/// The client ID and secret from an Authorization header: HTTP Basic.
///
/// Both parts should be form-encoded (RFC 6749 section 2.3.1), but many clients send them as they are. Each part is
/// therefore given in both forms: decoded, if it can be decoded, and as it was sent.
struct BasicCredentials {
    /// The forms of the client ID, the decoded one first; at least one.
    let users: [WireText]
    /// The forms of the secret, the decoded one first; none if it is empty, which counts as none (RFC 6749 section 2.3.1).
    let passwords: [WireText]

    /// The maximum length of the header, in bytes: a client ID and a secret of maximum length, escaped.
    static let longestHeader = 4096

    init?(_ header: WireText) {
        guard let header = header.ascii(atMost: Self.longestHeader) else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            // Behind one space or several (RFC 9110 section 11.4). Some clients encode as base64url.
            case let text = String(Substring(parts[1].utf8.drop(while: { $0 == UInt8(ascii: " ") }))),
            let bytes = Base64.decode(text) ?? Base64URL.decode(text),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let password = Array(bytes[(colon + 1)...])
        users = Self.forms(Array(bytes[..<colon]))
        passwords = Self.forms(password)
        guard !users.isEmpty, password.isEmpty || !passwords.isEmpty else { return nil }
    }

    /// Returns the forms of a part; none if it is empty or not UTF-8.
    private static func forms(_ bytes: [UInt8]) -> [WireText] {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return [] }
        let sent = WireText(text)
        guard let decoded = try? FormURLEncoding.decode(bytes), decoded != sent else { return [sent] }
        return [decoded, sent]
    }
}
