// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerConfiguration
import OIDCBrokerPages
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// What is known of a login whose callback ends in a page.
struct LoginDescription: Sendable {
    var provider: ProviderEntry?
    var app: AppEntry?
    var redirectURI: RedirectURI?
    /// What the state has if the login belongs to an extension; otherwise `nil`.
    var ofExtension: ExtensionLogin?
    /// The language that the app asked for.
    var language: Language?
    /// The destination of a login that an app in this process began; of any other app its `state`.
    var appState: String?
    /// How the app gets its response; `nil` if its `state` is not known, without which it gets none.
    var responseMode: ResponseMode?
    /// The reference of the login; `nil` if it is not known which one it is.
    var reference: PageReference?
    /// The span of the start of the login; `nil` if it is not known, or not sampled.
    var start: TraceParent?

    /// The name of the app or the client in the configuration; `nil` if it is not known.
    var appName: String? { app?.configuration.name ?? ofExtension?.client }
    /// The name of the app or the client on pages; `nil` if it is not known.
    var displayedAppName: String? { app?.configuration.displayedName ?? displayedClientName }
    /// The name on pages of the client of ``ofExtension``.
    fileprivate var displayedClientName: String?

    /// Where the app gets its response; `nil` if that is not known.
    func destination(issuer: String) -> AppDestination? {
        guard let redirectURI, let responseMode else { return nil }
        return AppDestination(
            redirectURI: redirectURI, state: appState, responseMode: responseMode, issuer: issuer, language: language)
    }

    /// Nothing.
    static let unknown = LoginDescription()

    /// What the state of a login names, as far as it is still configured.
    init(_ state: LoginState, snapshot: BrokerSnapshot) {
        provider = snapshot.provider(name: state.provider)
        app = snapshot.app(name: state.app)
        redirectURI = app?.redirectURI(hash: state.redirectURIHash, loopbackPort: state.loopbackPort)
        ofExtension = state.ofExtension
        displayedClientName = state.ofExtension.map { snapshot.displayedName(of: $0) }
        language = state.requirements.language
        appState = state.appState
        responseMode = state.requirements.appStateHash == nil ? state.requirements.responseMode : nil
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

    var description: LoginDescription {
        var description = LoginDescription.unknown
        description.provider = provider
        switch recipient {
        case .app(let app, let redirectURI):
            description.app = app
            description.redirectURI = redirectURI
        case .ofExtension(_, let login):
            description.ofExtension = login
            description.displayedClientName = recipient.displayedName
        }
        description.language = state.requirements.language
        description.appState = state.appState
        description.responseMode = state.requirements.responseMode
        description.reference = reference
        return description
    }
}
