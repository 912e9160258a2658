// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import Testing

/// Unknown keys.
struct UnknownKeyTests {
    @Test(
        arguments: [
            ("AUTH_PUBLC_URL", "AUTH_PUBLIC_URL"),
            ("AUTH_PROVIDER_ACME_CLIENT_SECERT", "AUTH_PROVIDER_ACME_CLIENT_SECRET"),
            ("AUTH_APP_SHOP_REDIRECT_URI", "AUTH_APP_SHOP_REDIRECT_URIS"),
            ("AUTH_APP_SHOP_REQUIRE_AMCE_EMAIL_VERIFIED", "AUTH_APP_SHOP_REQUIRE_ACME_EMAIL_VERIFIED"),
            ("AUTH_PROVIDER_AMCE_CLIENT_ID", "AUTH_PROVIDER_ACME_CLIENT_ID"),
        ])
    func `in the environment`(name: String, nearest: String) async throws {
        let found = try await SourcesFixture.errors(
            environment: SourcesFixture.environment(with: [name: "hush"]))
        #expect(
            found == [
                ConfigurationError(
                    key: name, source: "environment", expected: "a known key; did you mean \(nearest)?")
            ])
    }

    @Test func `in the environment beyond AUTH_ are ignored`() async throws {
        let found = try await SourcesFixture.errors(
            environment: SourcesFixture.environment(with: ["SERVER_NAME": "x", "PATH": "/bin", "AUTHOR": "y"]))
        #expect(found.isEmpty)
    }

    @Test(
        arguments: [
            (["--auth-publicurl", "hush"], "--auth-publicurl", "--auth-public-url"),
            (["--server-prot=hush"], "--server-prot", "--server-port"),
            (["--server-provider-trasnport", "nio"], "--server-provider-trasnport", "--server-provider-transport"),
        ])
    func `on the command line`(arguments: [String], name: String, nearest: String) async throws {
        let found = try await SourcesFixture.errors(
            arguments: arguments, environment: SourcesFixture.environment)
        #expect(
            found == [
                ConfigurationError(
                    key: name, source: "command line", expected: "a known key; did you mean \(nearest)?")
            ])
    }

    @Test func `in a JSON file, with their lines`() async throws {
        try await SourcesFixture.run { fixture in
            // Indented by tabs, and with an escape, which both formats have.
            let file = try fixture.write(
                "broker.json",
                "{\n\t\"auth\": {\n\t\t\"publc-url\": \"a\\/b\\u00e9\", \"x\": 1\n\t},\n\t\"auht\": {\"y\":\n2}}\n")
            let found = try await SourcesFixture.errors(environment: SourcesFixture.environment, file: file)
            let expected = [("auht.y", 5), ("auth.publc-url", 3), ("auth.x", 3)]
            #expect(found.map(\.key).sorted() == expected.map(\.0))
            for (key, line) in expected {
                #expect(found.first { $0.key == key }?.source == "configuration file \(file), line \(line)")
            }
        }
    }

    @Test func `in the configuration file, at any level`() async throws {
        try await SourcesFixture.run { fixture in
            let extra = """

                auht:
                  public-url: hush
                """
            let text = SourcesFixture.yaml.replacing("user-info:", with: "userinfo:") + extra
            let file = try fixture.write("broker.yaml", text)
            let found = try await SourcesFixture.errors(file: file)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            func source(_ key: String) -> String {
                let line = lines.lastIndex { $0.contains(key) }.map { $0 + 1 } ?? 0
                return "configuration file \(file), line \(line)"
            }
            #expect(
                Set(found) == [
                    ConfigurationError(
                        key: "auth.provider.acme.userinfo", source: source("userinfo:"),
                        expected: "a known key; did you mean auth.provider.acme.user-info?"),
                    ConfigurationError(
                        key: "auht.public-url", source: source("public-url: hush"),
                        expected: "a known key; did you mean auth.public-url?"),
                ])
        }
    }

    @Test func `in the secrets directory`() async throws {
        try await SourcesFixture.run { fixture in
            _ = try fixture.write("secrets/auth-signingkey", "hush")
            let found = try await SourcesFixture.errors(
                environment: SourcesFixture.environment(with: [
                    "AUTH_SECRETS_DIRECTORY": fixture.directory.appending(path: "secrets").path
                ]))
            #expect(
                found == [
                    ConfigurationError(
                        key: "auth-signingkey", source: "secret files",
                        expected: "a known key; did you mean auth-signing-keys?")
                ])
        }
    }

    @Test func `of a provider that is not listed`() async throws {
        let found = try await SourcesFixture.errors(
            environment: SourcesFixture.environment(with: ["AUTH_PROVIDER_SOMEBODYELSE_USER_INFO": "true"]))
        #expect(found.map(\.key) == ["AUTH_PROVIDER_SOMEBODYELSE_USER_INFO"])
        #expect(found.first?.expected == "a name that is listed; add `somebodyelse` to auth.providers")
    }

    @Test func `come with all other errors at once`() async throws {
        let found = try await SourcesFixture.errors(
            arguments: ["--auth-nonsense-of-all-kinds"],
            environment: SourcesFixture.environment(
                without: ["AUTH_PUBLIC_URL"], with: ["AUTH_PUBLC_URL": "https://auth.example.com"]))
        #expect(Set(found.map(\.key)) == ["auth.public-url", "AUTH_PUBLC_URL", "--auth-nonsense-of-all-kinds"])
        #expect(found.first { $0.key == "--auth-nonsense-of-all-kinds" }?.expected == "a known key")
    }
}
