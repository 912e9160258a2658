// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

/// What is known of a login whose callback ends in a page.
struct KnownLogin: Sendable {
    var provider: ProviderEntry?
    var app: AppEntry?
    var redirectURI: RedirectURI?
    /// What the state has if the login belongs to an extension; otherwise `nil`.
    var ofExtension: ExtensionLogin?
    /// The language that the app asked for.
    var language: Language?
    /// The reference of the login; `nil` if it is not known which one it is.
    var reference: PageReference?
    /// The span of the start of the login; `nil` if it is not known, or not sampled.
    var start: TraceParent?

    /// The name of the app or the client in the configuration; `nil` if it is not known.
    var appName: String? { app?.configuration.name ?? ofExtension?.client }
    /// The name of the app or the client on pages; `nil` if it is not known.
    var displayedAppName: String? { app?.configuration.displayedName ?? ofExtension?.displayedName }

    /// Nothing.
    static let unknown = KnownLogin()

    /// What the state of a login names, as far as it is still configured.
    init(_ state: LoginState, snapshot: BrokerSnapshot) {
        provider = snapshot.provider(name: state.provider)
        app = snapshot.app(name: state.app)
        redirectURI = app?.redirectURI(hash: state.redirectURIHash, loopbackPort: state.loopbackPort)
        ofExtension = state.ofExtension
        language = state.requirements.language
        reference = PageReference(loginID: state.loginID)
        start = state.start
    }

    private init() {}
}

extension CallbackLogin {
    /// Where an app gets its response.
    func destination(at redirectURI: RedirectURI, issuer: String) -> AppDestination {
        AppDestination(
            redirectURI: redirectURI, state: state.appState, responseMode: state.requirements.responseMode,
            issuer: issuer, language: state.requirements.language)
    }

    var known: KnownLogin {
        var known = KnownLogin.unknown
        known.provider = provider
        switch recipient {
        case .app(let app, let redirectURI):
            known.app = app
            known.redirectURI = redirectURI
        case .ofExtension(_, let login):
            known.ofExtension = login
        }
        known.language = state.requirements.language
        known.reference = reference
        return known
    }
}
