// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerPages
import OIDCBrokerState
import OpenIDConnect

/// A logout request of an app (OpenID Connect RP-Initiated Logout 1.0 section 2).
struct LogoutRequest {
    /// The maximum length of an app's `state`, in bytes.
    static let maximumStateLength = AppAuthorizationRequest.maximumStateLength

    /// The app; `nil` if the request names none.
    let app: AppEntry?
    /// The provider at which the user signed in: that of the hint, or else the only one of the app; `nil` if it is not known.
    let provider: ProviderEntry?
    /// The broker's `sub` of the user, by a hint that was verified; `nil` without one.
    let subject: String?
    /// The session of the app that such a hint names, 16 bytes; `nil` if it names none.
    let session: [UInt8]?
    /// The URI to which the user agent is sent afterwards; `nil` if there is none, or it is not the app's.
    let redirectURI: RedirectURI?
    /// The `state` for it; `nil` if the request has none.
    let state: String?
    /// The language that the app asked for.
    let language: Language?
    /// What of the request is of no use, for the log; `nil` if there is nothing.
    let remark: String?

    /// Reads the parameters of a request.
    ///
    /// The hint may have expired. One that cannot be verified, as after a change of keys, still names the app and the
    /// provider, but no signed-in user.
    init(_ parameters: Parameters, snapshot: BrokerSnapshot, now: Int64) throws(LogoutRefusal) {
        if let name = parameters.firstDuplicateName { throw LogoutRefusal("\(ParametersError.duplicate(name))") }
        func value(_ name: String) -> WireText? { (try? parameters.nonEmptyValue(name)) ?? nil }
        let client = value("client_id").map { (app: snapshot.app(clientID: $0), id: $0) }
        if let client, client.app == nil { throw LogoutRefusal("no app has this client_id") }
        let hint = value("id_token_hint").map { LogoutHint($0, snapshot: snapshot, now: now) }
        if let named = client?.app, let other = hint?.app, named !== other {
            throw LogoutRefusal("id_token_hint was not issued to client_id", app: named)
        }
        let sent = value("post_logout_redirect_uri")
        let app = client?.app ?? hint?.app ?? sent.flatMap { snapshot.onlyApp(postLogoutRedirectURI: $0) }
        redirectURI = sent.flatMap { app?.postLogoutRedirectURI($0) }
        language = value("ui_locales").flatMap { LanguagePreferences.first(of: $0.utf8) }
        state = value("state")?.printableASCII(atMost: Self.maximumStateLength)
        guard state != nil || value("state") == nil else {
            throw LogoutRefusal(
                "state is longer than \(Self.maximumStateLength) bytes or not printable ASCII", app: app)
        }
        provider = hint?.provider ?? app.flatMap { snapshot.onlyProvider(of: $0) }
        (subject, session) = (hint?.token?.subject, hint?.token?.sessionID)
        self.app = app
        remark =
            if let hint, hint.token == nil {
                "id_token_hint cannot be verified"
            } else if sent != nil, redirectURI == nil {
                "post_logout_redirect_uri is not registered for \(app == nil ? "exactly one app" : "the app")"
            } else {
                nil
            }
    }

    /// The logout as it waits for the user or the provider.
    func pending(at now: Int64) -> PendingLogout {
        PendingLogout(
            phase: .confirmation, issuedAt: now, app: app?.configuration.name, provider: provider?.name,
            redirectURI: redirectURI?.text, state: state, language: language, session: session)
    }
}

/// What an `id_token_hint` says.
private struct LogoutHint {
    let app: AppEntry?
    let provider: ProviderEntry?
    /// What it says of the user; `nil` if it could not be verified.
    let token: IssuedIDToken?

    init(_ hint: WireText, snapshot: BrokerSnapshot, now: Int64) {
        let text = hint.ascii(atMost: TokenIssuer.maximumTokenLength)
        let claims = text.flatMap { UnverifiedIDTokenPayload.claims(of: $0, issuer: snapshot.issuer) }
        let app = claims?["aud"]?.text.flatMap { snapshot.app(clientID: $0) }
        provider = claims?["provider"]?.text.flatMap { snapshot.provider(named: $0) }
        token = if let text, let app { snapshot.issuedToken(text, to: app, now: now) } else { nil }
        self.app = app
    }
}

/// Why a logout is refused, for the log. The user agent gets a page and no redirect.
struct LogoutRefusal: Error {
    /// What is wrong.
    let reason: String
    /// The status of the page.
    let status: HTTPResponse.Status
    /// The app to which the page leads back; `nil` if it is not known.
    let app: AppEntry?

    init(_ reason: String, status: HTTPResponse.Status = .badRequest, app: AppEntry? = nil) {
        self.reason = reason
        self.status = status
        self.app = app
    }

    /// A body that is no form.
    static var noForm: Self { Self("no form", status: .unsupportedMediaType) }
}
