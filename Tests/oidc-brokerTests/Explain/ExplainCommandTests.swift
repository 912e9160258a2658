// SPDX-License-Identifier: Apache-2.0

#if Server && os(Linux)
    import Crypto
    import JOSE
    import NIOPosix
    import OIDCBrokerTesting
    import OpenIDRelyingParty
    import Testing
    import TestingSupport

    /// `explain` as a process of its own.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct ExplainCommandTests {
        private static let issuer = "http://127.0.0.1:1"
        /// A time within the token's validity.
        private static let now: Int64 = 1_800_000_000

        private let key: SigningKey

        init() throws {
            key = try SigningKey.generate(.es256)
        }

        private func token(_ others: JSONObject = [:]) throws -> String {
            var claims: JSONObject = [
                "iss": .string(Self.issuer), "sub": "person-ada", "aud": "broker", "nonce": "a-nonce",
                "iat": .number(JSONNumber(Self.now)), "exp": .number(JSONNumber(Self.now + 300)),
            ]
            for member in others.members { claims[member.name] = member.value == .null ? nil : member.value }
            return try key.sign(claims, type: "JWT")
        }

        /// Runs the command with the keys in a file, so that nothing is asked.
        private func explain(_ arguments: [String], input: String) async throws -> CommandProcess.End {
            try await BrokerFile.use(issuer: Self.issuer) { file in
                let keys = try file.write(
                    "keys.json", (["keys": .array([.object(key.publicJWK)])] as JSONObject).serialized())
                return try await CommandProcess.run(
                    ["explain", "--config", file.path, "--keys", keys, "--at", "\(Self.now)"] + arguments, input: input)
            }
        }

        @Test func `a token that holds, with white space around it`() async throws {
            let end = try await explain(["--provider", "acme", "--nonce", "a-nonce"], input: "  \(try token())\r\n")
            #expect(end.status == 0, "\(end.output)\(end.errors)")
            #expect(end.output.contains("pass: issuer: expected '\(Self.issuer)', found '\(Self.issuer)'\n"))
            #expect(end.output.contains("key \(key.keyID): used: it verifies the signature\n"))
            #expect(end.output.contains("pass: nonce: "))
            #expect(end.output.contains("Not checked: subject continuity, authentication time.\n"))
            #expect(end.output.hasSuffix("All checks that could be made passed.\n"))
        }

        /// Explains a token that names the broker as its issuer, without any provider to ask.
        /// - Parameter isOfResource: Whether it is by the key that signs access tokens for APIs.
        private func explainOwn(
            _ others: JSONObject, key: SigningKey? = nil, type: String = "JWT", isOfResource: Bool = false
        ) async throws -> CommandProcess.End {
            let (own, ofResource) = (
                P256.Signing.PrivateKey().pemRepresentation, P256.Signing.PrivateKey().pemRepresentation
            )
            var claims: JSONObject = [
                "iss": "http://localhost:1/__/auth", "sub": "s", "aud": "shop",
                "iat": .number(JSONNumber(Self.now)), "exp": .number(JSONNumber(Self.now + 300)),
            ]
            for member in others.members { claims[member.name] = member.value }
            let token = try (key ?? SigningKey(pem: isOfResource ? ofResource : own)).sign(claims, type: type)
            return try await BrokerFile.use(
                issuer: Self.issuer, signingKey: own, resourceSigningKey: ofResource
            ) { file in
                try await CommandProcess.run(["explain", "--config", file.path, "--at", "\(Self.now)"], input: token)
            }
        }

        @Test func `a token of the broker itself is called one, and verified with its keys`() async throws {
            let end = try await explainOwn([:])
            #expect(end.status == 0, "\(end.output)\(end.errors)")
            #expect(end.output.hasPrefix("token: an ID token that this server issued to an app\n"))
            #expect(end.output.contains("\npass: signature: expected one by a key of this server, found it\n"))
            #expect(end.output.contains("\npass: audience: expected one of: shop, found \"shop\"\n"))
            #expect(end.output.hasSuffix("All checks passed.\n"))
        }

        @Test func `an access token for an API is verified with the keys of those, and only with these`() async throws {
            for isOfResource in [true, false] {
                let end = try await explainOwn(["aud": "urn:orders"], type: "at+jwt", isOfResource: isOfResource)
                #expect(end.status == (isOfResource ? 0 : 1), "\(end.output)\(end.errors)")
                #expect(end.output.hasPrefix("token: an access token that this server issued for an API\n"))
                #expect(end.output.contains("\nfail: signature: ") == !isOfResource)
                #expect(end.output.contains("\npass: audience: expected one of: urn:orders, found \"urn:orders\"\n"))
            }
        }

        @Test func `a token that only names the broker is refused, and each check says why`() async throws {
            for (others, name) in [
                (["aud": "other"], "audience"), (["exp": .number(JSONNumber(Self.now))], "expires"),
                (["iat": .number(JSONNumber(Self.now + 61))], "issued at"),
            ] as [(JSONObject, String)] {
                let end = try await explainOwn(others)
                #expect(end.status == 1, "\(end.output)\(end.errors)")
                #expect(end.output.split(separator: "\n").filter { $0.hasPrefix("fail: ") }.count == 1, "\(name)")
                #expect(end.output.contains("\nfail: \(name): "), "\(end.output)")
                #expect(end.output.hasSuffix("The token is refused.\n"))
            }
            let forged = try await explainOwn([:], key: key)
            #expect(forged.status == 1)
            #expect(forged.output.contains("\nfail: signature: "))
        }

        @Test func `what is not told is not checked, and says by which option it would be`() async throws {
            let hashes: JSONObject = ["at_hash": "x", "c_hash": "y", "s_hash": "z"]
            let end = try await explain([], input: try token(hashes))
            #expect(end.status == 0, "\(end.output)\(end.errors)")
            for line in [
                "skip: nonce: not checked: no --nonce\n", "skip: code hash: not checked: no --code\n",
                "skip: access token hash: not checked: no --access-token\n",
                "skip: authentication time: not checked: no --max-age\n",
                "skip: state hash: not checked: the state is not known\n",
            ] { #expect(end.output.contains(line), "\(line)") }
            #expect(!end.output.contains("pass: nonce: "))
            let without = try await explain([], input: try token(["nonce": .null]))
            #expect(without.output.contains("skip: nonce: not checked: no --nonce; the token has none\n"))
            #expect(!without.output.contains("pass: nonce: "))
        }

        @Test func `what is told is checked`() async throws {
            let end = try await explain(
                ["--nonce", "a-nonce", "--code", "the-code", "--access-token", "a-token", "--max-age", "60"],
                input: try token(["at_hash": "x", "c_hash": "y"]))
            #expect(end.status == 1, "\(end.output)\(end.errors)")
            for name in ["access token hash", "code hash", "authentication time"] {
                #expect(end.output.contains("fail: \(name): "), "\(name)")
            }
            #expect(!end.output.contains("the-code"))
        }

        @Test func `a token that does not hold, and every check of it`() async throws {
            let end = try await explain(
                ["--nonce", "another"], input: try token(["aud": "other", "name": "\u{1B}[2J\u{9B}A\u{1F600}"]))
            #expect(end.status == 1, "\(end.output)\(end.errors)")
            #expect(end.output.contains("fail: audience: expected 'broker' alone, found 'other'\n"))
            #expect(end.output.contains("fail: nonce: "))
            #expect(end.output.contains("pass: expiry: "))
            #expect(end.output.contains(#""name": "\u001b[2J\u009bA\ud83d\ude00""#))
            #expect(end.output.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
            #expect(!end.output.contains(BrokerFile.secret))
        }

        @Test func `arguments and inputs that are wrong end with 64, a wrong configuration with 78`() async throws {
            #expect(try await explain([], input: "").status == 64)
            #expect(try await explain([], input: String(repeating: "a", count: 65_600)).status == 64)
            #expect(try await explain(["--provider", "nobody"], input: try token()).status == 64)
            #expect(try await explain(["--at", "soon"], input: try token()).status == 64)
            #expect(try await explain(["--max-age=-1"], input: try token()).status == 64)
            #expect(try await explain(["--max-age", "1099511627777"], input: try token()).status == 64)
            for (path, reason) in [
                ("/nowhere/keys.json", "'/nowhere/keys.json': No such file or directory"), ("/", "'/': Is a directory"),
            ] {
                let end = try await explain(["--keys", path], input: try token())
                #expect(end.status == 64)
                #expect(end.errors.contains("--keys expects a file that can be read; \(reason)"))
            }
            #expect(try await CommandProcess.run(["explain", "--config", "/nowhere.yaml"]).status == 78)
        }

        @Test(arguments: [
            "a", "..", "\u{301}\u{301}", "eyJhbGciOiJub25lIn0.e30.", String(repeating: "a", count: 65_536),
        ])
        func `what is no token ends with 1`(text: String) async throws {
            let end = try await explain([], input: text)
            #expect(end.status == 1)
            #expect(end.output.contains("fail: token: "))
        }

        @Test func `keys are fetched from the provider, and one that is gone ends with 69`() async throws {
            let provider = try await OpenIDProvider.start(
                OpenIDProvider.Configuration(clients: [.init(id: "broker", secret: BrokerFile.secret)]),
                on: MultiThreadedEventLoopGroup.singleton)
            let credential = try provider.nativeCredential(
                clientID: "broker", rawNonce: nil,
                person: OpenIDProvider.Person(email: "ada@example.com", password: "", name: "Ada", subject: "ada"))
            let ends = try await BrokerFile.use(issuer: provider.issuer) { file in
                let here = try await CommandProcess.run(
                    ["explain", "--config", file.path], input: credential.idToken)
                provider.set(.discoveryUnavailable)
                let gone = try await CommandProcess.run(
                    ["explain", "--config", file.path], input: credential.idToken)
                return [here, gone]
            }
            try await provider.shutdown()
            #expect(ends.map(\.status) == [0, 69], "\(ends)")
            #expect(ends[0].output.contains("skip: access token hash: "))
        }
    }
#endif
