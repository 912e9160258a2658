// SPDX-License-Identifier: Apache-2.0

//! A provider that misbehaves, in a test. In the page OIDCBrokerTesting.
// snippet.hide

import NIOCore
import OIDCBrokerTesting

func test(callbackURL: String, clock: TestClock, on eventLoopGroup: any EventLoopGroup) async throws {
    // snippet.show
    var configuration = OpenIDProvider.Configuration(
        clients: [.init(id: "broker", secret: "s3cret", redirectURIs: [callbackURL])],
        interaction: .automatic(0),
        misbehavior: .wrongAudience)
    configuration.clock = clock
    let provider = try await OpenIDProvider.start(configuration, on: eventLoopGroup)

    // ... a client gets `provider.issuer + "/authorize?..."`, follows the redirect to its callback URL ...

    let paths = provider.recordedRequests().map(\.path)
    // Expect ["/.well-known/openid-configuration", "/authorize", "/token", "/jwks"]: it asks for nothing after the refusal.
    let violations = provider.violations()
    // Expect none: the client's requests were valid.
    try await provider.shutdown()
    // snippet.hide
    _ = (paths, violations)
}
