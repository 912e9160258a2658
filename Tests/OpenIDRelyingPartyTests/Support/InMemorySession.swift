// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// A relying party, a provider without sockets, and a browser that follows nothing by itself. Everything is done when a
/// call returns.
struct InMemorySession {
    let provider: InMemoryProvider
    private let relyingParty: RelyingParty
    private let loop = EmbeddedEventLoop()

    init(_ setting: SignInSetting = SignInSetting(), _ misbehavior: Misbehavior) throws {
        let clock = TestClock()
        provider = try InMemoryProvider(setting.registration(clock: clock))
        provider.set(misbehavior)
        relyingParty = RelyingParty(
            configuration: setting.configuration(issuer: provider.issuer), transport: provider, clock: clock,
            elapsed: clock.elapsed, policy: setting.policy)
    }

    /// A whole sign-in, with whatever is left to do after it.
    @discardableResult
    func signIn() throws -> VerifiedSignIn {
        let start = try result { relyingParty.begin(on: $0) }
        let location = try #require(provider.visit(start.url))
        let callback = SignInSession.redirectURI + "?"
        try #require(location.hasPrefix(callback))
        let query = String(location.dropFirst(callback.count))
        return try result { relyingParty.complete(authorizationResponse: query, pending: start.pending, on: $0) }
    }

    private func result<Value: Sendable>(_ begin: (EmbeddedEventLoop) -> EventLoopFuture<Value>) throws -> Value {
        let future = begin(loop)
        loop.run()
        return try future.wait()
    }

    /// The paths that were asked of the provider, in their order; whole URLs of other origins behind them.
    var paths: [String] { provider.recordedRequests().map(\.path) + provider.strays }

    /// The requests to one path.
    func requests(to path: String) -> [OpenIDProvider.RecordedRequest] {
        provider.recordedRequests().filter { $0.path == path }
    }
}
