// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerPages
import OIDCBrokerState
import OpenIDConnect

/// A logout request of an app (OpenID Connect RP-Initiated Logout 1.0 section 2), read strictly.
struct LogoutRequest {
    /// The maximum length of an app's `state`, in bytes.
    static let maximumStateLength = AppAuthorizationRequest.maximumStateLength

    /// The app; `nil` if the request names none.
    let app: AppEntry?
    /// The provider at which the user signed in, according to the hint; `nil` without one.
    let provider: ProviderEntry?
    /// The URI to which the user agent is sent afterwards; `nil` if the request has none.
    let redirectURI: RedirectURI?
    /// The `state` for it; `nil` if the request has none.
    let state: String?
    /// The language that the app asked for.
    let language: Language?

    /// The reason why a request is refused, for the log. The user agent gets a page and no redirect.
    struct Refusal: Error {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Reads the parameters of a request.
    ///
    /// The hint may have expired. It names the app and the provider, but does not prove that it is this user agent's.
    init(_ parameters: Parameters, snapshot: BrokerSnapshot, now: Int64) throws(Refusal) {
        if let name = parameters.firstDuplicateName { throw Refusal("\(ParametersError.duplicate(name))") }
        func value(_ name: String) -> WireText? { (try? parameters.nonEmptyValue(name)) ?? nil }
        var app: AppEntry?
        if let clientID = value("client_id") {
            app = snapshot.app(clientID: clientID)
            guard app != nil else { throw Refusal("client_id is not that of an app") }
        }
        if let hint = value("id_token_hint") {
            guard let token = hint.ascii(atMost: TokenIssuer.maximumTokenLength),
                let audience = UnverifiedIDTokenPayload.claims(of: token, issuer: snapshot.issuer)?["aud"]?.text,
                let named = snapshot.app(clientID: audience),
                let issued = snapshot.issuedToken(token, to: named, now: now)
            else { throw Refusal("id_token_hint is not an ID token of this broker") }
            guard app == nil || app === named else { throw Refusal("id_token_hint is not one of client_id") }
            app = named
            provider = snapshot.provider(named: WireText(issued.provider))
        } else {
            provider = nil
        }
        if let sent = value("post_logout_redirect_uri") {
            guard let app else { throw Refusal("there is a post_logout_redirect_uri but no app") }
            guard let registered = app.postLogoutRedirectURI(sent) else {
                throw Refusal("post_logout_redirect_uri is not one of the app's")
            }
            redirectURI = registered
        } else {
            redirectURI = nil
        }
        language = value("ui_locales").flatMap { LanguagePreferences.first(of: $0.utf8) }
        if let sent = value("state") {
            guard let text = sent.printableASCII(atMost: Self.maximumStateLength) else {
                throw Refusal("state is longer than \(Self.maximumStateLength) bytes or not printable ASCII")
            }
            state = text
        } else {
            state = nil
        }
        self.app = app
    }
}
