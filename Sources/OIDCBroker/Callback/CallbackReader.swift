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
    /// The result of reading a callback.
    enum Reading {
        /// A login that can be continued.
        case login(CallbackLogin, ReceivedAuthorizationResponse)
        /// There is no such login.
        case end(Outcome, KnownLogin)
        /// The cookie is missing. The page depends on whether the login returned already, and on the error.
        case noCookie(LoginState, KnownLogin, error: ProviderError?)
        /// The cookie of a cross-site form is missing: the user agent sends the same form again from the broker's own
        /// origin.
        case repost(Parameters, KnownLogin)
        /// It is no callback but a start of the SDKs of Firebase, which only an extension takes.
        case handlerStart

        /// The span of the start of the login; `nil` if it is not known, or not sampled.
        var start: TraceParent? {
            switch self {
            case .login(let login, _): login.state.start
            case .end(_, let known), .noCookie(_, let known, _), .repost(_, let known): known.start
            case .handlerStart: nil
            }
        }
    }

    /// The field that marks a form as sent again by the broker's own page.
    static let repostMark = "oidc_broker_repost"

    let snapshot: BrokerSnapshot
    /// The current time, in seconds since 1970.
    let now: Int64

    /// Reads a GET, or a POST of a form.
    /// - Parameter path: The path of the request, which is a callback path.
    func read(_ request: BrokerRequest, path: String, query: Substring) -> Reading {
        let parameters: Parameters
        let mode: ResponseMode
        let response: AuthorizationResponse
        do {
            switch try self.parameters(of: request, query: query) {
            case .read(let read, let readMode): (parameters, mode) = (read, readMode)
            case .end(let outcome): return .end(outcome, .unknown)
            }
            if parameters.contains("apiKey"), !parameters.contains("state") { return .handlerStart }
            // Some providers answer a request that they refuse without its state. Nothing can be told to an app.
            if !parameters.contains("state"), let code = try parameters.nonEmptyValue("error") {
                let outcome = Outcome(of: ProviderError(code: code, description: nil))
                return .end(outcome, .unknown)
            }
            response = try AuthorizationResponse(parameters)
        } catch {
            guard request.method == .post || !Self.isHandlerStart(query) else { return .handlerStart }
            return .end(.unreadable("\(error)"), .unknown)
        }
        guard let opened = snapshot.sealer.open(response.state, for: .login),
            let state = LoginState(encoded: opened.plaintext)
        else { return .end(.unknownState, .unknown) }
        var known = KnownLogin(state, snapshot: snapshot)
        guard !state.isStale(at: now) else { return .end(.expired, known) }
        guard let provider = known.provider, provider.fingerprint == state.fingerprint,
            let recipient = recipient(of: known, at: provider)
        else {
            known.provider = nil
            return .end(.changed, known)
        }
        guard provider.callbackPath == path, provider.relyingParty.configuration.responseMode == mode else {
            known.redirectURI = nil
            return .end(.misdirected, known)
        }
        let received: ReceivedAuthorizationResponse
        do {
            received = try provider.relyingParty.read(response)
        } catch {
            return .end(.unreadable("\(error)"), known)
        }
        switch snapshot.cookie.binding(loginID: state.loginID, in: Cookies(request.headerFields)) {
        case .duplicate:
            return .end(.duplicateCookie, known)
        case .absent:
            guard mode == .formPost, !parameters.contains(Self.repostMark) else {
                return .noCookie(state, known, error: response.error)
            }
            return .repost(parameters, known)
        case .found(let binding):
            let login = CallbackLogin(
                state: state, keys: opened.keys, binding: binding, provider: provider, recipient: recipient,
                cookieName: snapshot.cookie.name(loginID: state.loginID),
                user: provider.behavior.sendsUser && mode == .formPost
                    ? (try? parameters.nonEmptyValue("user")) ?? nil : nil,
                clientAddress: request.clientAddress)
            return .login(login, received)
        }
    }

    /// Who gets the sign-in of a login; `nil` if it may not go on under this configuration.
    private func recipient(of known: KnownLogin, at provider: ProviderEntry) -> LoginRecipient? {
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

    /// The parameters with the response mode in which they were received, or the reason why they are not accepted.
    private enum ReadParameters {
        case read(Parameters, ResponseMode)
        case end(Outcome)
    }

    private func parameters(of request: BrokerRequest, query: Substring) throws(ParametersError) -> ReadParameters {
        let fromQuery = try FormURLEncoding.parse(query)
        guard request.method == .post else { return .read(fromQuery, .query) }
        guard !AuthorizationResponse.names.contains(where: { fromQuery.contains($0) }) else {
            return .end(.unreadable("parameters in both query and form"))
        }
        let form = try FormURLEncoding.parse(request.body.readableBytesView)
        guard let fragment = FragmentResponse(form) else { return .read(form, .formPost) }
        let origin = snapshot.configuration.publicURL.origin
        guard FetchMetadata.isSameOrigin(request.headerFields, origin: origin) else {
            return .end(.notNavigation)
        }
        return .read(try fragment.parameters(), .fragment)
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
        try FormURLEncoding.parse(text.utf8)
    }
}
