// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect

/// The requests of browsers to the handler for the SDKs: starts of logins, and claims of their results. The callback is
/// the broker's own.
struct HandlerEndpoint: Sendable {
    let toolkit: IdentityToolkit
    let broker: BrokerAccess

    /// Responds to a request. The future does not fail.
    func respond(to request: BrokerRequest, at path: HandlerPaths.Path) -> EventLoopFuture<BrokerResponse> {
        guard request.method == .get else { return succeeded(.methodNotAllowed("GET")) }
        return path == .claim ? claim(request) : start(request)
    }

    private func succeeded(_ response: BrokerResponse) -> EventLoopFuture<BrokerResponse> {
        broker.eventLoop.makeSucceededFuture(response)
    }

    // MARK: Start

    /// Checks what the SDK says, in this order: the key, what the login is for, where its result goes, the provider, and
    /// the rest. Then it sends the browser to the provider, unless that is asked to show no page. Once it is known where
    /// the result goes, the app is told what is wrong; before there is a page.
    private func start(_ request: BrokerRequest) -> EventLoopFuture<BrokerResponse> {
        guard !broker.isPrefetch(request) else { return succeeded(.plain(status: .tooEarly, "")) }
        guard broker.isNavigation(request) else {
            return succeeded(broker.refuseStart("The request is not a navigation to a document.", status: .forbidden))
        }
        var app: SDKApp?
        var target: HandlerEventTarget?
        var provider: BrokerAccess.Provider?
        do throws(HandlerStartError) {
            let query = try HandlerQuery(broker.query)
            let known = try self.app(of: query)
            app = known
            let destination = try HandlerEventTarget(query, for: known)
            target = destination
            let chosen = try self.provider(of: query, for: known)
            provider = chosen
            let start = try HandlerStart(query, to: destination)
            _ = try start.additionalScopes(beyond: chosen.scopesOfClients, allowed: chosen.scopesOfExtensions)
            let parameters = try start.parameters(languageAs: chosen.languageParameter) { chosen.allows(parameter: $0) }
            guard !start.isSilent else { return succeeded(ask(start, query, of: known, at: chosen)) }
            let login = ExtensionLogin(
                purpose: IdentityToolkit.purpose, client: known.name,
                content: HandlerLogin(start, app: known).encoded)
            let language = start.language.flatMap { Language(systemTag: $0) }
            return broker.begin(
                login, of: toolkit, at: chosen, parameters: parameters, scopes: start.scopes, language: language,
                for: request
            ).map { begun($0, destination, language) }
        } catch {
            return succeeded(
                broker.refuseStart(
                    "\(error)", client: app?.name, title: app?.title, provider: provider,
                    response: target.flatMap { respond(to: HandlerFailure(error), $0) }))
        }
    }

    private func respond(
        to failure: HandlerFailure, _ target: HandlerEventTarget, language: Language? = nil
    ) -> BrokerResponse? {
        target.response(to: failure, with: broker, publicURL: toolkit.publicURL, language: language)
    }

    /// What the browser gets of a login that began, or could not.
    private func begun(
        _ response: BrokerResponse, _ target: HandlerEventTarget, _ language: Language?
    ) -> BrokerResponse {
        guard response.head.status == .seeOther, let location = response.head.headerFields[.location] else {
            let isDown = response.head.status == .serviceUnavailable
            let failure = HandlerFailure(isDown ? .networkRequestFailed : .internalError)
            return respond(to: failure, target, language: language)?.noting(of: response) ?? response
        }
        guard let page = target.page else { return response }
        return broker.page(keeping: page, then: response, to: location, language: language)
    }

    /// Responds to a start with `prompt=none`, which never goes to a provider: any site can begin a login, and must not
    /// get a result without the user seeing it. A popup ends in the error that a provider's refusal to sign in without
    /// a page would be. Anywhere else there is a page, whose link begins the same login without `prompt`.
    private func ask(
        _ start: HandlerStart, _ query: HandlerQuery, of app: SDKApp, at provider: BrokerAccess.Provider
    ) -> BrokerResponse {
        let language = start.language.flatMap { Language(systemTag: $0) }
        guard case .popup = start.destination else {
            return broker.askForStart(
                of: app.name, title: app.title, at: provider,
                target: broker.path + "?" + query.encoded(customParameters: start.parametersWithoutPrompt),
                language: language)
        }
        let error = HandlerStartError(.unsupported, .customParameters, member: HandlerStart.prompt)
        return broker.refuseStart(
            "\(error)", client: app.name, title: app.title, provider: provider,
            response: respond(to: HandlerFailure(.invalidCredential), start.target, language: language))
    }

    private func app(of query: HandlerQuery) throws(HandlerStartError) -> SDKApp {
        guard let app = toolkit.apps.app(forKey: try query.apiKey()) else {
            throw HandlerStartError(.unknown, .apiKey)
        }
        return app
    }

    private func provider(
        of query: HandlerQuery, for app: SDKApp
    ) throws(HandlerStartError) -> BrokerAccess.Provider {
        guard let provider = broker.provider(id: try query.providerID()) else {
            throw HandlerStartError(.unknown, .providerID)
        }
        guard app.mayUse(provider: provider.name) else { throw HandlerStartError(.notAllowed, .providerID) }
        guard provider.hasWebFlow else { throw HandlerStartError(.unsupported, .providerID) }
        return provider
    }

    // MARK: Claim

    /// Issues the ticket of a redirect, for the challenge of the page that claims it, and sends the browser back to the
    /// page at which the login began. The origin stands in what was held, never in the query.
    ///
    /// The page that claims must be of the origin that was authorized. Another one may have got the ID of the login: a
    /// browser carries a fragment along where the app answers with a redirect to somewhere else.
    private func claim(_ request: BrokerRequest) -> EventLoopFuture<BrokerResponse> {
        let parameters = try? FormURLEncoding.parse(broker.query)
        let isReadable = parameters.map { $0.firstDuplicateName == nil } ?? false
        func value(_ name: String) -> WireText? {
            isReadable ? (try? parameters?.nonEmptyValue(name)) ?? nil : nil
        }
        let binding = value("challenge").flatMap { SessionBinding(challenge: $0) }
        // Without a challenge nothing is used up.
        let login = binding == nil ? nil : value("login")
        let page = request.headerFields[.referer].flatMap { WebOrigin(ofPage: $0.utf8) }
        return broker.claim(login, of: IdentityToolkit.purpose, for: request) { [broker] content, login in
            guard let binding else { return broker.eventLoop.makeFailedFuture(RefusedDelivery(.changed)) }
            return HandlerDelivery(login, with: broker, publicURL: toolkit.publicURL)
                .claimed(content, by: binding, from: page)
        }
    }
}

extension Language {
    /// The language of a tag as systems write it, some with `_` for `-`; `nil` if it is not one of the pages.
    init?(systemTag tag: String) {
        self.init(tag: tag.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 })
    }
}
