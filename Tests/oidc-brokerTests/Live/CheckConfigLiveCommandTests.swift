// SPDX-License-Identifier: Apache-2.0

#if Server && os(Linux)
    import JOSE
    import NIOPosix
    import OIDCBrokerTesting
    import Testing
    import TestingSupport

    /// `check-config --live` as a process of its own.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct CheckConfigLiveCommandTests {
        @Test(
            arguments: [
                (Misbehavior.none, BrokerFile.secret, 0), (Misbehavior.none, "wrong-secret", 78),
                (Misbehavior.issuerMismatch, BrokerFile.secret, 78),
                (Misbehavior.discoveryUnavailable, BrokerFile.secret, 69),
            ] as [(Misbehavior, String, Int32)])
        func `the exit status says what came of it, and the output is one JSON object`(
            misbehavior: Misbehavior, secret: String, status: Int32
        ) async throws {
            let provider = try await OpenIDProvider.start(
                OpenIDProvider.Configuration(
                    clients: [.init(id: "broker", secret: BrokerFile.secret)], misbehavior: misbehavior),
                on: MultiThreadedEventLoopGroup.singleton)
            let (json, text) = try await BrokerFile.use(issuer: provider.issuer, secret: secret) { file in
                (
                    try await CommandProcess.run(["check-config", "--live", "--json", "--config", file.path]),
                    try await CommandProcess.run(["check-config", "--live", "--config", file.path])
                )
            }
            try await provider.shutdown()
            #expect(json.status == status, "\(json.output)\(json.errors)")
            #expect(text.status == status, "\(text.output)\(text.errors)")
            let object = try JSONParser.object(
                Array(json.output.utf8), limits: JSONLimits(maximumBytes: 1 << 20))
            #expect(object["checks"]?.arrayValue?.isEmpty == false)
            #expect(text.output.hasPrefix("The configuration is valid.\n"))
            for said in [json.output, json.errors, text.output, text.errors] {
                #expect(!said.contains(secret))
            }
        }

        @Test func `an invalid configuration asks no server`() async throws {
            let end = try await BrokerFile.use(issuer: "http://192.0.2.1") { file in
                try await CommandProcess.run(["check-config", "--live", "--json", "--config", file.path])
            }
            #expect(end.status == 78)
            #expect(end.output.isEmpty)
            #expect(end.errors.contains("auth.provider.acme.issuer"))
        }
    }
#endif
