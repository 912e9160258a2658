// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// The start of a sign-in: the authorization endpoint (`GET` or `POST authorize`; OpenID Connect Core 1.0 section
/// 3.1.2.1), and the choice of a provider on the broker's page (`POST choose`).
struct StartFlow: RequestHandling {
    let context: RequestContext
    private var responses: StartResponses { StartResponses(context: context) }
    private var reader: StartReader { StartReader(snapshot: snapshot, now: services.clock.now()) }

    /// The start of an app. Beside each step is what else becomes of the request.
    func respond(to request: BrokerRequest, query: Substring) -> Eventual<BrokerResponse> {
        do throws(StartEnd) {
            // 1. Let the navigation of a browser in, and find its parameters.   A page
            let (parameters, isFramed) = try reader.admit(request, query: query)
            return start(parameters, choice: nil, cookies: Cookies(request.headerFields), isFramed: isFramed)
        } catch {
            return .value(responses.end(error))
        }
    }

    /// The start goes on at the provider that the user chose. The cookie stays: a second click, before the provider's page
    /// arrives, begins another login, and the first one is given up.
    func respondToChoice(_ request: BrokerRequest) -> Eventual<BrokerResponse> {
        let cookies = Cookies(request.headerFields)
        do throws(StartEnd) {
            // 1. Open the choice, and compare its cookie.                       A page
            let (choice, pending) = try reader.choice(in: request, cookies)
            switch pending {
            case .request(let query):
                return start(Substring(query), choice: choice, cookies: cookies)
            case .inProcess(let login, let app):
                return InProcessStart(context: context).resume(
                    login, app: app, choice: choice, cookies: cookies)
            }
        } catch {
            return .value(responses.end(error))
        }
    }

    private func start(
        _ query: Substring, choice: Choice?, cookies: Cookies, isFramed: Bool = false
    ) -> Eventual<BrokerResponse> {
        let client: StartReader.Client
        do throws(StartEnd) {
            // 2. Know the app by `client_id` and `redirect_uri`: no other place gets a response (RFC 6749 4.1.2.1).
            client = try reader.client(query)
            // 3. Count the start in the rate of the app.                        `limited`
            let limits = LimitResponses(context: context)
            if let refusal = limits.refusal(ofStartOf: client.app, resuming: choice?.loginID) {
                throw .response(refusal)
            }
        } catch {
            return .value(responses.end(error))
        }
        do throws(AppError) {
            // 4. Read the authorization request.                                `invalid_request` and others
            let request = try reader.request(of: client)
            let start = Start(
                for: .app(client.app, client.redirectURI), request: request, isChosen: choice != nil)
            // 5. Know the provider, or let the user choose one.               `choosing`, `interaction_required`
            guard let provider = try provider(of: start, client.app, choice) else {
                return .value(try choosing(query, for: client.app, request, cookies: cookies))
            }
            guard !request.isSilent || isSilentlyCompletable(start, at: client.redirectURI, provider) else {
                throw AppError.interactionRequired
            }
            // The cookie of a login would not come back to a frame.
            guard !isFramed else { throw AppError.loginRequired }
            return begin(start, provider, cookies: cookies)
        } catch {
            let redirect = AppRedirect(destination: client.destination(issuer: snapshot.issuer), context: context)
            return .value(responses.refuse(error, .app(client.app, client.redirectURI), redirect))
        }
    }

    /// The steps of every start, of an extension and in process too: sends the user agent to the provider.
    func begin(_ start: Start, _ provider: ProviderEntry, cookies: Cookies) -> Eventual<BrokerResponse> {
        let relyingParty = provider.relyingParty
        let errors = responses.errorResponses(of: start)
        let scope = RequestScope(
            on: eventLoop, deadline: .now() + RelyingParty.requestTimeout, trace: trace(of: provider))
        // 6. Know the provider's metadata.                                      `.providerUnavailable`, `.failed`
        return relyingParty.metadata(in: scope).flatMapThrowing { metadata in
            // The user would sign in for nothing.                               `.failed`
            (metadata, try relyingParty.authorizationEndpoint(of: metadata))
        }.flatMap { metadata, endpoint in
            // A mix-up could not be noticed.                                    `.sharedCallbackPath`
            guard !provider.mustAnnounceIssuer || relyingParty.sendsIssuer(metadata) else {
                return .value(responses.refuse(.sharedCallbackPath, start, provider, errors))
            }
            guard relyingParty.sendsPlainRequest(metadata) else {
                return push(start, provider, metadata, errors, cookies: cookies)
            }
            do throws(AppError) {
                // 7. Make the login: its state, nonce, challenge and cookie.    `invalid_request`, `server_error`
                let login = try NewLogin(start, at: provider, cookies: cookies, in: context)
                // 8. Send the user agent to the provider with them.
                let url = relyingParty.authorizationURL(
                    endpoint: endpoint, state: login.state, rawNonce: login.rawNonce,
                    codeChallenge: login.codeChallenge, additionalScopes: login.additionalScopes,
                    parameters: login.parameters, dpop: login.dpop)
                return .value(responses.redirect(start, provider, login, to: url, cookies: cookies))
            } catch {
                return .value(responses.refuse(error, start.recipient, errors))
            }
        }.recover { error in
            let error = error as? RelyingPartyError ?? .unusable(.discovery, "failed")
            return responses.refuse(Outcome(of: error), start, provider, errors)
        }
    }

    /// 7 and 8 with a request that is pushed (RFC 9126) or signed (RFC 9101): the user agent gets a reference to it, or the
    /// request object.
    private func push(
        _ start: Start, _ provider: ProviderEntry, _ metadata: ProviderMetadata, _ errors: any AppErrorResponding,
        cookies: Cookies
    ) -> Eventual<BrokerResponse> {
        services.clients.run(.pushedStart, for: context.client, at: provider) {
            let login: NewLogin
            do throws(AppError) {
                login = try NewLogin(start, at: provider, cookies: cookies, in: context)
            } catch {
                return .value(responses.refuse(error, start.recipient, errors))
            }
            return provider.relyingParty.authorizationRedirect(
                metadata: metadata, state: login.state, rawNonce: login.rawNonce, codeChallenge: login.codeChallenge,
                additionalScopes: login.additionalScopes, parameters: login.parameters, dpop: login.dpop,
                in: RequestScope(on: eventLoop, trace: trace(of: provider))
            ).flatMapThrowing { url in
                services.clients.succeeded(.pushedStart, for: context.client, at: provider)
                return responses.redirect(start, provider, login, to: url, cookies: cookies)
            }.recover { error in
                let error = error as? RelyingPartyError ?? .unusable(.pushedAuthorization, "failed")
                services.clients.failed(error, for: context.client, at: provider)
                return responses.refuse(Outcome(of: error), start, provider, errors, login: login.reference)
            }
        } refusal: {
            responses.refuse(.tooManyFromAddress($0), start, provider, errors)
        }
    }

    // MARK: 5

    /// The provider that was chosen, that the request names, or that is the only one; `nil` if there are several.
    private func provider(of start: Start, _ app: AppEntry, _ choice: Choice?) throws(AppError) -> ProviderEntry? {
        if let name = choice?.provider ?? start.request.provider {
            guard let named = snapshot.provider(named: name), app.mayUse(named.name) else {
                throw AppError("invalid_request", "provider is not one that this app may use.")
            }
            guard named.hasWebFlow else { throw AppError.nativeOnly }
            return named
        }
        let allowed = providers(of: app)
        guard let only = allowed.first else {
            let isNativeOnly = snapshot.providers.contains { app.mayUse($0.name) }
            throw isNativeOnly
                ? AppError.nativeOnly : AppError("invalid_request", "there is no provider that this app may use.")
        }
        return allowed.count == 1 ? only : nil
    }

    private func providers(of app: AppEntry) -> [ProviderEntry] {
        snapshot.providers.filter { app.mayUse($0.name) && $0.hasWebFlow }
    }

    private func choosing(
        _ query: Substring, for app: AppEntry, _ request: AppAuthorizationRequest, cookies: Cookies
    ) throws(AppError) -> BrokerResponse {
        guard !request.isSilent else { throw AppError.interactionRequired }
        let page = responses.chooser(
            for: .request(String(query)), of: app, among: providers(of: app), cookies: cookies,
            language: request.requirements.language)
        guard let page else { throw AppError("invalid_request", "the request is too long.") }
        return page
    }

    /// Whether a sign-in with `prompt=none` can end without a page: not for an app on the user's device, which needs
    /// "Continue to APP", nor at a provider that does not get `prompt`, or ignores it.
    private func isSilentlyCompletable(
        _ start: Start, at redirectURI: RedirectURI, _ provider: ProviderEntry
    ) -> Bool {
        (redirectURI.isOfOneSite || start.isChosen)
            && provider.appParameters.contains("prompt") && !provider.behavior.ignoresPrompt
    }
}
