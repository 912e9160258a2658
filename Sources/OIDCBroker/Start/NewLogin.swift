// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// A login that begins: its parameters for the provider, and its cookie for the user agent.
struct NewLogin {
    let state: String
    let rawNonce: String
    let codeChallenge: String
    /// The proofs of the login; `nil` if the provider is used without DPoP.
    let dpop: DPoPLogin?
    let additionalScopes: [String]
    let parameters: [(name: String, value: String)]
    let cookie: HTTPField
    /// The reference of the login.
    let reference: PageReference

    /// Makes a login for a start: its state, its nonce and its challenge.
    init(
        _ start: StartFlow.Start, at provider: ProviderEntry, cookies: Cookies, in context: RequestContext
    ) throws(AppError) {
        let snapshot = context.snapshot
        guard let keys = snapshot.sealer.current else { throw AppError("server_error", "There is no sealing key.") }
        let entropy = LoginEntropy(browser: snapshot.cookie.browser(in: cookies))
        // It is never left out, since the app relies on it.
        let asked = start.request.maximumAge
        // An app may request a more recent authentication than the configuration, never an older one.
        let maximumAge = [asked, provider.configuredMaximumAge].compactMap { $0 }.min()
        var parameters = try start.request.passedOn(allowed: provider.appParameters)
        if asked != nil, let maximumAge {
            parameters.removeAll { $0.name == "max_age" }
            parameters.append((name: "max_age", value: String(maximumAge)))
        }
        var state = LoginState(
            of: start, at: provider, entropy, maximumAge: maximumAge, now: context.services.clock.now())
        state.maximumDuration = provider.configuration.loginLifetime.components.seconds
        let purpose = start.recipient.statePurpose
        var encoded = state.encoded
        var keptState: String?
        if !StateSealer.fits(encoded.count, for: purpose) {
            keptState = state.keepAppStateInCookie()
            encoded = state.encoded
        }
        // A link is worth no sign-in: without room for it, it is left out.
        if let span = context.span?.sampledStart,
            StateSealer.fits(encoded.count + TraceParent.byteCount, for: purpose)
        {
            state.start = span
            encoded = state.encoded
        }
        guard let sealed = snapshot.sealer.seal(encoded, for: purpose, nonce: entropy.nonce) else {
            throw AppError("invalid_request", "state and nonce are too long.")
        }
        self.state = sealed
        rawNonce = keys.rawNonce(loginID: entropy.loginID, binding: entropy.binding)
        codeChallenge = keys.codeVerifier(loginID: entropy.loginID, binding: entropy.binding).challenge
        do {
            dpop = try keys.dpop(loginID: entropy.loginID, binding: entropy.binding, at: provider)
        } catch {
            throw AppError("server_error", "there is no key for the provider.")
        }
        additionalScopes = provider.configuration.additionalScopes(isOfExtension: start.recipient.isOfExtension) {
            start.request.scopes.contains(WireText($0))
        }
        self.parameters = parameters
        cookie = snapshot.cookie.set(
            loginID: entropy.loginID, binding: entropy.binding,
            responseMode: provider.relyingParty.configuration.responseMode, lifetime: state.maximumDuration,
            appState: keptState)
        reference = PageReference(loginID: entropy.loginID)
    }
}

extension LoginState {
    /// The state of a login for a start.
    fileprivate init(
        of start: StartFlow.Start, at provider: ProviderEntry, _ entropy: LoginEntropy, maximumAge: Int64?, now: Int64
    ) {
        switch start.recipient {
        case .app(let app, let redirectURI):
            self.init(
                loginID: entropy.loginID, issuedAt: now, provider: provider.name,
                fingerprint: provider.fingerprint, app: app.configuration.name,
                redirectURIHash: app.hash(of: redirectURI), loopbackPort: redirectURI.loopbackPort,
                isChosen: start.isChosen, appState: start.request.state, appNonce: start.request.nonce,
                codeChallenge: start.request.codeChallenge, maximumAge: maximumAge,
                scopes: GrantedScopes(asked: start.request.scopes, of: app.scopes(at: provider)),
                requirements: start.request.requirements)
        case .ofExtension(_, let login):
            self.init(
                loginID: entropy.loginID, issuedAt: now, provider: provider.name,
                fingerprint: provider.fingerprint, maximumAge: maximumAge,
                requirements: start.request.requirements, ofExtension: login)
        }
    }
}

extension LoginKeys {
    /// The proofs of a login; `nil` if its provider is used without DPoP.
    func dpop(loginID: [UInt8], binding: [UInt8], at provider: ProviderEntry) throws -> DPoPLogin? {
        guard provider.relyingParty.configuration.usesDPoP else { return nil }
        return DPoPLogin(key: try dpopKey(loginID: loginID, binding: binding))
    }
}
