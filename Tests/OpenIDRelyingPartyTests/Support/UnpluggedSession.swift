// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import TestingSupport

/// A relying party with a ``TestProvider``: everything is done when a call returns.
struct UnpluggedSession {
    let provider: TestProvider
    let party: RelyingParty
    let loop = EmbeddedEventLoop()

    /// - Parameter configure: changes a configuration that is right as it is.
    init(
        _ provider: TestProvider,
        policy: IDTokenPolicy = .standard,
        observer: (any RelyingPartyObserver)? = nil,
        _ configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) {
        var configuration = ProviderConfiguration(
            issuer: provider.issuer, clientID: "client", clientSecret: Secret("secret"),
            redirectURI: "https://app.example/cb")
        configure(&configuration)
        self.provider = provider
        party = RelyingParty(
            configuration: configuration, transport: provider, clock: provider.clock, elapsed: provider.clock.elapsed,
            policy: policy, observer: observer)
    }

    /// A session of a response type, by `form_post` where a token comes along.
    init(_ provider: TestProvider, _ type: ResponseType, policy: IDTokenPolicy = .standard) {
        self.init(provider, policy: policy) { configuration in
            configuration.responseType = type
            configuration.responseMode = type == .code ? .query : .formPost
        }
    }

    func begin(
        parameters: [AuthorizationParameter] = [],
        maximumAge: Duration? = nil
    ) throws -> (url: String, pending: PendingSignIn) {
        let start = try party.begin(parameters: parameters, maximumAge: maximumAge, on: loop).wait()
        return (start.url, start.pending)
    }

    func complete(_ response: String, _ pending: PendingSignIn) throws -> VerifiedSignIn {
        try party.complete(authorizationResponse: response, pending: pending, on: loop).wait()
    }

    /// A whole sign-in.
    /// - Parameter change: makes another response of the one that the browser brings.
    @discardableResult
    func signIn(_ change: (String) throws -> String = { $0 }) throws -> VerifiedSignIn {
        let (url, pending) = try begin()
        return try complete(try change(try provider.answer(to: url)), pending)
    }

    /// The error a sign-in ends in; `nil` if it succeeds.
    func refusal(_ change: (String) throws -> String = { $0 }) throws -> RelyingPartyError? {
        do {
            try signIn(change)
            return nil
        } catch let error as RelyingPartyError {
            return error
        }
    }
}
