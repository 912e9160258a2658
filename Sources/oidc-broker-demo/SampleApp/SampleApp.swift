// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOHTTP1
import OpenIDConnect
import OpenIDRelyingParty

/// A small app that signs users in through the broker: an ordinary OpenID client, which uses only the JOSE and form
/// encoding of this package.
///
/// | path | response |
/// | --- | --- |
/// | `GET /` | the home page |
/// | `GET /start` | creates state, nonce and code verifier, and redirects to the broker |
/// | `GET /callback` | the redirect URI |
/// | `GET /result` | the result of this browser's last sign-in |
/// | `/account…` | the user's account, where the broker has accounts: ``SampleAppAccounts`` |
/// | `/web…` | a web app, where the broker has accounts: ``SampleAppWeb`` |
struct SampleApp: Sendable {
    /// The path of the redirect URI.
    static let callbackPath = "/callback"

    private let client: BrokerClient
    private let provider: DemoProvider
    private let accounts: SampleAppAccounts?
    private let web: SampleAppWeb?
    private let sessions = SampleAppSessions()
    private let clock: any UnixClock

    /// Creates an app that signs users in through the client's broker.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - provider: The broker's provider, which the home page names.
    ///   - accounts: The part with the user's account; `nil` if the broker has no accounts.
    ///   - web: The part that is a web app; `nil` if the broker has no accounts.
    ///   - clock: The clock.
    init(
        client: BrokerClient, provider: DemoProvider = .development, accounts: SampleAppAccounts? = nil,
        web: SampleAppWeb? = nil, clock: any UnixClock = SystemUnixClock()
    ) {
        self.client = client
        self.provider = provider
        self.accounts = accounts
        self.web = web
        self.clock = clock
    }

    /// Responds to a request.
    func respond(to request: SampleAppRequest) async -> SampleAppResponse {
        if let accounts, accounts.handles(request.path) { return await accounts.respond(to: request) }
        if let web, web.handles(request.path) { return web.respond(to: request) }
        guard request.method == .GET else { return .page(SampleAppPages.notAllowed()) }
        switch request.path {
        case "/": return .page(SampleAppPages.home(provider, hasAccounts: accounts != nil))
        case "/start": return start()
        case Self.callbackPath: return await callback(request)
        case "/result": return result(request)
        default: return .page(SampleAppPages.notFound())
        }
    }

    private func start() -> SampleAppResponse {
        let attempt = SignInAttempt()
        return .redirect(to: client.authorizationURL(attempt), setCookie: sessions.open(attempt))
    }

    /// Handles the callback. The redirect to the result removes the code from the address bar and the history, and
    /// makes reloading harmless.
    private func callback(_ request: SampleAppRequest) async -> SampleAppResponse {
        guard let parameters = try? FormURLEncoding.parse(request.query.utf8),
            let session = request.cookie(SampleAppSessions.cookieName),
            let state = try? parameters.nonEmptyValue("state"),
            let attempt = sessions.take(session, state: state.makeString())
        else { return .page(SampleAppPages.unexpectedResponse()) }
        sessions.end(session, await outcome(of: attempt, parameters))
        return .redirect(to: "/result")
    }

    private func result(_ request: SampleAppRequest) -> SampleAppResponse {
        guard let session = request.cookie(SampleAppSessions.cookieName), let outcome = sessions.outcome(session)
        else { return .redirect(to: "/") }
        return .page(SampleAppPages.result(outcome))
    }

    private func outcome(of attempt: SignInAttempt, _ parameters: Parameters) async -> SignInOutcome {
        var report = SignInReport()
        report.step("You, the broker and the provider", since: attempt.start)
        report.check("state is the one this browser was sent away with", true)
        let issuer = try? parameters.nonEmptyValue("iss")
        guard issuer?.hasSameBytes(as: client.issuer) == true else {
            return .failed(reason: "The response is not from this app's broker.")
        }
        report.check("iss names the broker that was asked", true)
        if let error = try? parameters.nonEmptyValue("error") {
            return error == "access_denied" ? .denied : .failed(reason: "The broker answered: \(error.makeString()).")
        }
        guard let code = try? parameters.nonEmptyValue("code") else {
            return .failed(reason: "The response has no code.")
        }
        do throws(BrokerClientError) {
            try await redeem(code.makeString(), attempt, &report)
        } catch {
            return .failed(reason: error.description)
        }
        return .received(report)
    }

    private func redeem(
        _ code: String, _ attempt: SignInAttempt, _ report: inout SignInReport
    ) async throws(BrokerClientError) {
        var start = ContinuousClock.now
        let response = try await client.redeem(code, verifier: attempt.verifier)
        report.step("Code redeemed at the broker's token endpoint", since: start)

        start = .now
        let isRefused = await client.refuses(code, verifier: attempt.verifier)
        report.step("Code tried once more, to see it refused", since: start)
        report.check("the code could be redeemed once only", isRefused)

        start = .now
        let keys = try await client.keySet()
        report.step("Key set fetched", since: start)

        start = .now
        let expectation = ReceivedTokens.Expectation(
            issuer: client.issuer, audience: client.clientID, nonce: attempt.nonce, now: clock.now())
        ReceivedTokens(response).validate(by: keys, expectation, into: &report)
        report.step("ID token verified", since: start)
    }
}
