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

/// Begins the logins of apps of kind `in-process` (`GET login/<app>`, and ``Broker/login(_:on:)``).
struct InProcessStart: RequestHandling {
    let context: RequestContext

    /// Responds to a request for the login of an app.
    func respond(to request: BrokerRequest, app: AppEntry, query: Substring) -> Eventual<BrokerResponse> {
        guard FetchMetadata.isDocumentNavigation(request) else {
            return .value(failure("not a navigation", .forbidden))
        }
        guard let parameters = try? FormURLEncoding.parse(query), parameters.firstDuplicateName == nil else {
            return .value(failure("the parameters are not valid"))
        }
        func value(_ name: String) -> WireText? { (try? parameters.nonEmptyValue(name)) ?? nil }
        do throws(LoginRequestError) {
            return try begin(
                app, to: value("to"), provider: value("provider"), state: nil, loginHint: value("login_hint"),
                headerFields: request.headerFields)
        } catch {
            return .value(failure("\(error.code)"))
        }
    }

    /// Begins a login of an embedding server.
    func begin(_ login: LoginRequest) throws(LoginRequestError) -> Eventual<BrokerResponse> {
        guard let app = snapshot.app(name: login.app), app.configuration.kind == .inProcess else {
            throw LoginRequestError(code: .unknownApp)
        }
        do throws(LoginRequestError) {
            return try begin(
                app, to: WireText(login.destination), provider: login.provider.map { WireText($0) },
                state: login.state, loginHint: login.loginHint.map { WireText($0) }, headerFields: login.headerFields)
        } catch {
            StartResponses(context: context).record(.refused, app)
            throw error
        }
    }

    private func begin(
        _ app: AppEntry, to destination: WireText?, provider: WireText?, state: String?, loginHint: WireText?,
        headerFields: HTTPFields
    ) throws(LoginRequestError) -> Eventual<BrokerResponse> {
        guard let target = destination.map({ LocalDestination($0, besides: snapshot.paths) }) ?? .root else {
            throw LoginRequestError(code: .invalidDestination)
        }
        guard
            let request = AppAuthorizationRequest(
                destination: target, state: state, loginHint: loginHint, provider: provider)
        else { throw LoginRequestError(code: .invalidValue) }
        let pending = InProcessLogin(
            destination: target.text, state: state,
            loginHint: loginHint?.printableASCII(atMost: AppAuthorizationRequest.maximumParameterLength))
        return try begin(app, request, pending, resuming: nil, cookies: Cookies(headerFields))
    }

    /// Continues with the provider that the user chose on the broker's page.
    func resume(
        _ login: InProcessLogin, app name: String, choice: StartFlow.Choice, cookies: Cookies
    ) -> Eventual<BrokerResponse> {
        guard let app = snapshot.app(name: name), app.configuration.kind == .inProcess,
            let target = LocalDestination(WireText(login.destination), besides: snapshot.paths),
            let request = AppAuthorizationRequest(
                destination: target, state: login.state, loginHint: login.loginHint.map { WireText($0) },
                provider: choice.provider)
        else { return .value(failure("the configuration was changed")) }
        do throws(LoginRequestError) {
            return try begin(app, request, login, resuming: choice.loginID, cookies: cookies)
        } catch {
            return .value(failure("\(error.code)"))
        }
    }

    private func begin(
        _ app: AppEntry, _ request: AppAuthorizationRequest, _ login: InProcessLogin, resuming choice: [UInt8]?,
        cookies: Cookies
    ) throws(LoginRequestError) -> Eventual<BrokerResponse> {
        let limits = LimitResponses(context: context)
        if let refusal = limits.refusal(ofStartOf: app, resuming: choice) { return .value(refusal) }
        let allowed = snapshot.providers.filter { app.mayUse($0.name) && $0.hasWebFlow }
        let flow = StartFlow(context: context)
        guard let redirectURI = app.redirectURIs.first else { throw LoginRequestError(code: .unknownApp) }
        let start = StartFlow.Start(for: .app(app, redirectURI), request: request, isChosen: true)
        if let name = request.provider {
            guard let provider = snapshot.provider(named: name), allowed.contains(where: { $0 === provider }) else {
                throw LoginRequestError(code: .unknownProvider)
            }
            return flow.begin(start, provider, cookies: cookies)
        }
        guard let only = allowed.first else { throw LoginRequestError(code: .unknownProvider) }
        guard allowed.count > 1 else { return flow.begin(start, only, cookies: cookies) }
        let waiting = PendingChoice.Start.inProcess(login, app: app.configuration.name)
        let responses = StartResponses(context: context)
        guard let page = responses.chooser(for: waiting, of: app, among: allowed, cookies: cookies) else {
            throw LoginRequestError(code: .invalidValue)
        }
        return .value(page)
    }

    private func failure(_ reason: String, _ status: HTTPResponse.Status = .badRequest) -> BrokerResponse {
        StartResponses(context: context).badStart(reason, status)
    }
}

extension AppAuthorizationRequest {
    /// The request of a login in process; `nil` if a value is too long or not printable ASCII. The destination takes the
    /// place of the app's `state`, and the server's own value that of the `nonce`.
    init?(destination: LocalDestination, state: String?, loginHint: WireText?, provider: WireText?) {
        var parameters: [(name: String, value: String)] = []
        if let loginHint {
            guard let hint = loginHint.printableASCII(atMost: Self.maximumParameterLength) else { return nil }
            parameters.append((name: "login_hint", value: hint))
        }
        if let state {
            guard WireText(state).printableASCII(atMost: Self.maximumNonceLength) != nil else { return nil }
        }
        self.init(state: destination.text, nonce: state, provider: provider, parameters: Parameters(parameters))
    }
}
