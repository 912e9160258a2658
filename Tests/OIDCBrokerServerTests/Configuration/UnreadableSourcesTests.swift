// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

/// Sources that cannot be read.
struct UnreadableSourcesTests {
    @Test(
        arguments: [
            ("broker.yaml", "auth:\n  signing-keys: \"hush\n", "; line 3, column 1: found unexpected end of stream"),
            ("broker.yaml", "auth: {a: hush, a: hush}", "each key once; 'a' is twice in one mapping, first in line 1"),
            ("broker.yaml", "auth:\n  a: hush\n  b: 1\n  a: hush\n", "each key once; 'a' is in line 2 and in line 4"),
            ("broker.yaml", "auth:\n\ta: hush\n", "; indent with spaces, not with tabs"),
            ("broker.yaml", "auth:\n  a: 1\n b: hush\n", "expected key; indent the keys of one section alike"),
            ("broker.yaml", "auth:\n  a: hush: b\n", "; write 'key: value', the keys of one section indented alike"),
            ("broker.yaml", "auth:\n  a: 1\n  b hush\n", "; line 3 needs a colon and a space after its key"),
            ("broker.yaml", "auth:\n  a: [hush, b\n  c: 1\n", "; the bracket in line 2 is not closed"),
            ("broker.yaml", "auth:\n  a: \"hush\n  c: 1\n", "; the quotes in line 2 are not closed"),
            ("broker.yaml", "auth:\n  a: %hush\n", "; put a text that begins with such a character in quotes"),
            ("broker.yaml", "\u{FEFF}auth:\n  a: hush\n", "; the file begins with a byte order mark: save it without"),
            ("broker.yaml", "a: hush\n---\nb: hush\n", "one YAML document; another one begins in line 2"),
            ("broker.yaml", "auth: *hush\n", "an alias (*name) without its anchor (&name)"),
            ("broker.yml", "- hush", "a YAML mapping"),
            ("broker.yaml", "", "a YAML mapping at the top; the file has no keys"),
            ("broker.yaml", "# hush\n", "a YAML mapping at the top; the file has no keys"),
            ("broker.yaml", "auth: {providers: [{name: hush}]}", "; 'auth.providers' in line 1 has one"),
            ("broker.json", "{\n  \"auth\": hush}", "; line 2, column 1"),
            ("broker.json", "", "; the file is empty"),
            ("broker.json", "\u{FEFF}{}", "; the file begins with a byte order mark"),
            ("broker.json", "[\"hush\"]", "a JSON object"),
            ("broker.json", "{\"auth\": {\"a\": \"hush\", \"a\": 1}}", "each name once"),
            ("broker.json", "{\"auth\": {\"providers\": [{\"name\": \"hush\"}]}}", "no lists of mappings"),
            ("broker.toml", "auth = 'hush'", ".yaml, .yml or .json"),
            ("yaml", "auth: hush", ".yaml, .yml or .json"),
        ])
    func `A configuration file is reported without its text`(name: String, text: String, expected: String) async throws
    {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write(name, text)
            let found = try await SourcesFixture.errors(environment: SourcesFixture.environment, file: file)
            #expect(found.map(\.key) == ["--config"])
            #expect(found.first?.source == file)
            #expect(found.first?.expected.contains(expected) == true)
            #expect(!"\(found)".contains("hush"))
        }
    }

    @Test func `aliases of aliases are no more keys than a file may have`() async throws {
        try await SourcesFixture.run { fixture in
            var text = "a0: &a0 {x: 1, y: 1}\n"
            for number in 1...40 { text += "a\(number): &a\(number) {x: *a\(number - 1), y: *a\(number - 1)}\n" }
            let file = try fixture.write("broker.yaml", text)
            let found = try await SourcesFixture.errors(environment: SourcesFixture.environment, file: file)
            #expect(found.map(\.expected) == ["at most 20000 keys"])
        }
    }

    @Test func `where a space was forgotten, the value is not shown`() async throws {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("broker.yaml", "auth: {signing-keys:hush}")
            let found = try await SourcesFixture.errors(environment: SourcesFixture.environment, file: file)
            #expect(found.map(\.key) == ["auth.signing-keys"])
            #expect(!"\(found)".contains("hush"))
        }
    }

    @Test func `A configuration file that is not there`() async throws {
        let found = try await SourcesFixture.errors(file: "/nowhere/at/all.yaml")
        #expect(found.map(\.key) == ["--config"])
        #expect(
            found.first?.expected == "a file that can be read; '/nowhere/at/all.yaml': No such file or directory")
    }

    @Test func `A secrets directory that is not there, or is a file`() async throws {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("file", "x")
            for path in ["/nowhere/at/all", file] {
                let found = try await SourcesFixture.errors(
                    environment: SourcesFixture.environment(with: ["AUTH_SECRETS_DIRECTORY": path]))
                #expect(found.map(\.key) == ["auth.secrets-directory"])
                #expect(found.first?.source == "environment")
            }
        }
    }

    @Test func `A secret file that would be skipped`() async throws {
        try await SourcesFixture.run { fixture in
            let target = try fixture.write("elsewhere", "linked")
            _ = try fixture.write("secrets/other", "x")
            let secrets = fixture.directory.appending(path: "secrets").path
            try FileManager.default.createSymbolicLink(
                atPath: secrets + "/auth-signing-keys", withDestinationPath: target)
            let found = try await SourcesFixture.errors(
                environment: SourcesFixture.environment(with: ["AUTH_SECRETS_DIRECTORY": secrets]))
            #expect(found.map(\.key) == ["auth-signing-keys"])
            #expect(found.first?.expected.contains("a regular file") == true)
        }
    }

    @Test func `Certificate authorities that TLS cannot use, together with other errors`() async throws {
        try await SourcesFixture.run { fixture in
            let bad = try fixture.write(
                "bad.pem", "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n")
            let found = try await SourcesFixture.errors(
                environment: SourcesFixture.environment(with: [
                    "AUTH_PROVIDER_ACME_CERTIFICATE_AUTHORITIES": bad, "AUTH_PATH_PREFIX": "x",
                ]))
            #expect(found.map(\.key) == ["auth.path-prefix", "auth.provider.acme.certificate-authorities"])
            let key = try fixture.write("key.pem", DevelopmentCertificate.make(hosts: ["localhost"]).privateKeyPEM)
            let exchanged = try await SourcesFixture.errors(
                environment: SourcesFixture.environment(with: ["AUTH_PROVIDER_ACME_CERTIFICATE_AUTHORITIES": key]))
            #expect(exchanged.map { $0.expected.hasSuffix("; the file has a private key") } == [true])
            let good = try fixture.write(
                "good.pem", DevelopmentCertificate.make(hosts: ["localhost"]).certificatePEM)
            let loaded = try await SourcesFixture.load(
                environment: SourcesFixture.environment(with: ["AUTH_PROVIDER_ACME_CERTIFICATE_AUTHORITIES": good]))
            #expect(loaded.broker.providers.first?.configuration.certificateAuthorities?.isEmpty == false)
        }
    }
}
