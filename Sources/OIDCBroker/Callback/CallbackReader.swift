// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// A reader of callbacks: the parameters, the state, and the cookie. It sends no requests to providers and uses no
/// store.
struct CallbackReader {
    /// The parameters of a callback, with the response mode in which they came. Nothing of them is verified: the state in a
    /// JWT only opens the login, whose provider then decides the keys of the JWT.
    struct Callback {
        let parameters: Parameters
        let mode: ResponseMode
        let response: AuthorizationResponse
    }

    /// The login that a state names. It is not known yet whose user agent this is.
    struct Opened {
        let state: LoginState
        let keys: LoginKeys
        let description: LoginDescription
        let provider: ProviderEntry
        let recipient: LoginRecipient
    }

    /// The field that marks a form as sent again by the broker's own page.
    static let repostMark = "oidc_broker_repost"

    let snapshot: BrokerSnapshot
    /// The path of the request, which is a callback path.
    let path: String
    /// The current time, in seconds since 1970.
    let now: Int64

    /// Lets the navigation of a browser in: a GET, or a POST of a form. A prefetch must not use the login up.
    func admit(_ request: BrokerRequest, query: Substring) throws(CallbackEnd) {
        let fields = request.headerFields
        if FetchMetadata.isPrefetch(fields) { throw .prefetch }
        if !FetchMetadata.isNavigation(request) { throw .page(.notNavigation, .unknown) }
        guard request.method != .post else {
            if !FormBody.isForm(fields) { throw .noForm }
            return
        }
        if query.isEmpty, snapshot.fragmentPaths.contains(WireText(path)) { throw .fragment }
    }

    /// Reads the parameters, from where their response mode puts them.
    func read(_ request: BrokerRequest, query: Substring) throws(CallbackEnd) -> Callback {
        do {
            let (parameters, mode) = try self.parameters(of: request, query: query)
            let hasState = parameters.hasValue("state")
            if !hasState, parameters.contains("apiKey") { throw CallbackEnd.handlerStart }
            // Some providers answer a request that they refuse without its state. Nothing can be told to an app.
            if !hasState, let code = try parameters.nonEmptyValue("error") {
                throw CallbackEnd.page(Outcome(of: ProviderError(code: code, description: nil)), .unknown)
            }
            return Callback(parameters: parameters, mode: mode, response: try AuthorizationResponse(parameters))
        } catch let end as CallbackEnd {
            throw end
        } catch {
            guard request.method == .post || !Self.isHandlerStart(query) else { throw .handlerStart }
            throw .page(.unreadable("\(error)"), .unknown)
        }
    }

    /// Opens the state, whose provider and recipient must still be those of the configuration.
    func open(_ callback: Callback) throws(CallbackEnd) -> Opened {
        guard let opened = snapshot.sealer.open(callback.response.state, for: .login),
            let state = LoginState(encoded: opened.plaintext)
        else { throw .page(.unknownState, .unknown) }
        var description = LoginDescription(state, snapshot: snapshot)
        guard !state.isStale(at: now) else { throw .page(.expired, description) }
        guard let provider = description.provider, provider.fingerprint == state.fingerprint,
            let recipient = recipient(of: description, at: provider)
        else {
            description.provider = nil
            throw .page(.changed, description)
        }
        let mode = provider.relyingParty.configuration.responseMode
        guard provider.callbackPath == path, mode.carrier == callback.mode else {
            description.redirectURI = nil
            let reason =
                provider.callbackPath == path
                ? "the response came by \(callback.mode.name); \(mode.name) was requested" : nil
            throw .page(.misdirected(reason), description)
        }
        return Opened(
            state: state, keys: opened.keys, description: description, provider: provider, recipient: recipient)
    }

    /// Reads the response to what the provider was asked for.
    func response(
        in callback: Callback, to opened: Opened
    ) throws(CallbackEnd) -> ReceivedAuthorizationResponse {
        do {
            return try opened.provider.relyingParty.read(callback.response)
        } catch {
            throw .page(.unreadable("\(error)"), opened.description)
        }
    }

    /// Finds the cookie of the login: without it, the user agent is not the one that began the login.
    func bind(
        _ opened: Opened, _ callback: Callback, to request: BrokerRequest
    ) throws(CallbackEnd) -> CallbackLogin {
        let loginID = opened.state.loginID
        let cookies = Cookies(request.headerFields)
        switch snapshot.cookie.binding(loginID: loginID, in: cookies) {
        case .duplicate:
            throw .page(.duplicateCookie, opened.description)
        case .absent:
            guard callback.mode == .formPost, !callback.parameters.contains(Self.repostMark) else {
                throw .noCookie(opened.state, opened.description, error: callback.response.error)
            }
            throw .repost(callback.parameters, opened.description)
        case .found(let binding):
            var state = opened.state
            guard state.restoreAppState(from: { snapshot.cookie.appState(loginID: loginID, in: cookies) }) else {
                throw .noCookie(opened.state, opened.description, error: callback.response.error)
            }
            return CallbackLogin(
                state: state, keys: opened.keys, binding: binding, provider: opened.provider,
                recipient: opened.recipient, cookieName: snapshot.cookie.name(loginID: loginID),
                user: opened.provider.behavior.sendsUser && callback.mode == .formPost
                    ? (try? callback.parameters.nonEmptyValue("user")) ?? nil : nil)
        }
    }

    /// Who gets the sign-in of a login; `nil` if it may not go on under this configuration.
    private func recipient(of known: LoginDescription, at provider: ProviderEntry) -> LoginRecipient? {
        if let login = known.ofExtension {
            return snapshot.owner(of: login, at: provider.name).map { .ofExtension($0, login) }
        }
        guard let app = known.app, let redirectURI = known.redirectURI, app.mayUse(provider.name) else { return nil }
        return .app(app, redirectURI)
    }

    /// Whether a query that cannot be read is a start of the SDKs, by the names of its parameters as they are written. On
    /// Android the value of one of them may be any bytes.
    private static func isHandlerStart(_ query: Substring) -> Bool {
        var hasKey = false
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            if name.elementsEqual("state".utf8) { return false }
            if name.elementsEqual("apiKey".utf8) { hasKey = true }
        }
        return hasKey
    }

    /// The parameters with the response mode in which they were received.
    private func parameters(of request: BrokerRequest, query: Substring) throws -> (Parameters, ResponseMode) {
        let shown = AuthorizationResponse.shownName
        let fromQuery = try FormURLEncoding.parse(query, shown: shown)
        guard request.method == .post else { return (fromQuery, .query) }
        guard !AuthorizationResponse.names.contains(where: { fromQuery.hasValue($0) }) else {
            throw CallbackEnd.page(.unreadable("parameters in both query and form"), .unknown)
        }
        let form = try FormURLEncoding.parse(request.body.readableBytesView, shown: shown)
        guard let fragment = FragmentResponse(form) else { return (form, .formPost) }
        let origin = snapshot.configuration.publicURL.origin
        guard FetchMetadata.isSameOrigin(request.headerFields, origin: origin) else {
            throw CallbackEnd.page(.notNavigation, .unknown)
        }
        return (try fragment.parameters(), .fragment)
    }
}

/// An authorization response in the fragment of the callback URL, as the broker's own page posts it: a form with the
/// text of the fragment as its only field, so that it cannot be confused with a provider's form.
struct FragmentResponse {
    private static let name: WireText = "fragment"

    private let text: WireText

    /// Reads a form; `nil` if it is any other form.
    init?(_ form: Parameters) {
        guard form.all.count == 1, let field = form.all.first, field.name == Self.name else { return nil }
        text = field.value
    }

    /// Returns the parameters of the fragment, which are encoded as in a query and read as strictly (OAuth 2.0 Multiple
    /// Response Type Encoding Practices section 2.1). Their length is bounded by that of the form.
    func parameters() throws(ParametersError) -> Parameters {
        try FormURLEncoding.parse(text.utf8, shown: AuthorizationResponse.shownName)
    }
}
