// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

/// What is known of a login whose callback ends in a page.
struct KnownLogin: Sendable {
    var provider: ProviderEntry?
    var app: AppEntry?
    var redirectURI: RedirectURI?
    /// The language that the app asked for.
    var language: Language?
    /// The reference of the login; `nil` if it is not known which one it is.
    var reference: PageReference?
    /// The span of the start of the login; `nil` if it is not known, or not sampled.
    var start: TraceParent?

    /// Nothing.
    static let unknown = KnownLogin()

    /// What the state of a login names, as far as it is still configured.
    init(_ state: LoginState, snapshot: BrokerSnapshot) {
        provider = snapshot.provider(name: state.provider)
        app = snapshot.app(name: state.app)
        redirectURI = app?.redirectURI(hash: state.redirectURIHash, loopbackPort: state.loopbackPort)
        language = state.requirements.language
        reference = PageReference(loginID: state.loginID)
        start = state.start
    }

    private init() {}
}

extension CallbackLogin {
    /// Where the app gets its response.
    func destination(issuer: String) -> AppDestination {
        AppDestination(
            redirectURI: redirectURI, state: state.appState, responseMode: state.requirements.responseMode,
            issuer: issuer, language: state.requirements.language)
    }

    var known: KnownLogin {
        var known = KnownLogin.unknown
        known.provider = provider
        known.app = app
        known.redirectURI = redirectURI
        known.language = state.requirements.language
        known.reference = reference
        return known
    }
}
