// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import NIOSSL
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerServer

/// The text of each kind of error in a configuration, which says how to mend it.
struct ConfigurationMendTests {
    private static func errors(
        _ changes: [String: String], without removed: Set<String> = []
    ) async throws -> [String] {
        try await SourcesFixture.errors(
            environment: SourcesFixture.environment(without: removed, with: changes)
        ).map(\.description)
    }

    /// The errors of the complete configuration file with a text replaced by another.
    private static func errors(replacing old: String, with new: String) async throws -> [String] {
        try await SourcesFixture.run { fixture in
            let text = SourcesFixture.yaml.replacing(old, with: new)
            #expect(text != SourcesFixture.yaml)
            let file = try fixture.write("broker.yaml", text)
            return try await SourcesFixture.errors(file: file).map {
                $0.description.replacing("configuration file \(file)", with: "FILE")
            }
        }
    }

    private static func line(of text: String) -> Int {
        SourcesFixture.yaml.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(text) }
            .map { $0 + 1 } ?? 0
    }

    // MARK: Files

    @Test func `a file that is not there, or is a directory`() async throws {
        let key = "auth.provider.acme.client-secret-file (from environment): expected a file that can be read; "
        let removed: Set<String> = ["AUTH_PROVIDER_ACME_CLIENT_SECRET"]
        for (path, reason) in [
            ("/nowhere/at/all", "'/nowhere/at/all': No such file or directory"), ("/etc", "'/etc': Is a directory"),
            ("/dev/null", "'/dev/null': not a regular file"),
        ] {
            #expect(
                try await Self.errors(["AUTH_PROVIDER_ACME_CLIENT_SECRET_FILE": path], without: removed)
                    == [key + reason])
        }
    }

    @Test func `a relative path names its folder`() async throws {
        let folder = FileManager.default.currentDirectoryPath
        #expect(
            try await Self.errors(["AUTH_SEALING_KEYS_FILE": "./no/such/file"], without: ["AUTH_SEALING_KEYS"]) == [
                "auth.sealing-keys-file (from environment): expected a file that can be read; './no/such/file' "
                    + "(relative to '\(folder)'): No such file or directory"
            ])
    }

    @Test func `a text in place of a path is not shown`() async throws {
        let found = try await Self.errors(
            ["AUTH_SIGNING_KEYS_FILE": "-----BEGIN PRIVATE KEY-----\nhush\n"], without: ["AUTH_SIGNING_KEYS"])
        #expect(found.count == 1)
        #expect(found.first?.contains("the value is not shown, since it may be the secret itself") == true)
        #expect(!"\(found)".contains("hush"))
    }

    @Test func `a secret in place of a path is not shown`() async throws {
        let found = try await Self.errors(["AUTH_SEALING_KEYS_FILE": "hush/hush"], without: ["AUTH_SEALING_KEYS"])
        #expect(found.count == 1)
        #expect(found.first?.contains("the value is not shown, since it may be the secret itself") == true)
        #expect(!"\(found)".contains("hush"))
    }

    @Test func `an empty file`() async throws {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("empty", "")
            let found = try await Self.errors(["AUTH_SEALING_KEYS_FILE": file], without: ["AUTH_SEALING_KEYS"])
            #expect(found.count == 1)
            #expect(found.first?.hasSuffix("; '\(file)' is empty") == true)
        }
    }

    @Test func `a byte order mark and CRLF are no part of a secret`() async throws {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("secret", "\u{FEFF}hush\r\n")
            let loaded = try await SourcesFixture.load(
                environment: SourcesFixture.environment(
                    without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET"],
                    with: ["AUTH_PROVIDER_ACME_CLIENT_SECRET_FILE": file]))
            #expect(loaded.broker.providers.first?.configuration.clientSecret?.exposed == "hush")
        }
    }

    // MARK: Names

    @Test func `a section that no list has is one line with the mend`() async throws {
        let line = Self.line(of: "    acme:")
        let found = try await Self.errors(
            replacing: "    acme:\n", with: "    google:\n      issuer: x\n      client-id: y\n    acme:\n")
        #expect(
            found == [
                "auth.provider.google.issuer (from FILE, line \(line + 1)): expected a name that is listed; "
                    + "add `google` to auth.providers"
            ])
        #expect(
            try await Self.errors(["AUTH_APP_KIOSK_TITLE": "x", "AUTH_APP_KIOSK_CLIENT_ID": "y"]) == [
                "AUTH_APP_KIOSK_CLIENT_ID (from environment): expected a name that is listed; "
                    + "add `kiosk` to auth.apps"
            ])
    }

    @Test func `a name without a section is one line`() async throws {
        #expect(
            try await Self.errors(["AUTH_PROVIDERS": "acme,google"]) == [
                "auth.provider.google: expected keys below it, since auth.providers lists its name"
            ])
        let line = Self.line(of: "redirect-uris:")
        let errors = try await Self.errors(replacing: "    shop:\n", with: "    kiosk:\n")
        // One that needs a single key says which.
        #expect(errors.first?.hasPrefix("auth.app.shop.redirect-uris: expected at least one") == true)
        #expect(
            errors.dropFirst() == [
                "auth.app.kiosk.redirect-uris (from FILE, line \(line)): expected a name that is listed; "
                    + "add `kiosk` to auth.apps"
            ])
    }

    @Test func `sections in place of a list`() async throws {
        let found = try await Self.errors(replacing: "apps: [shop]\n  app:", with: "apps:")
        #expect(
            found.contains {
                $0.contains("expected a list of names; add `shop` to auth.apps, and write its keys under auth.app.shop")
            })
    }

    @Test func `a text in place of a list is one line`() async throws {
        #expect(
            try await Self.errors(replacing: "providers: [acme]", with: "providers: acme") == [
                "auth.providers (from FILE, line \(Self.line(of: "providers: [acme]"))): expected a list of names, such as "
                    + "[one, two]"
            ])
    }

    @Test(arguments: [
        ("  apps: [shop]", "  apps: [shop]\n  port: 1", "a known key; did you mean server.port?"),
        ("  apps: [shop]", "  apps: [shop]\n  project-id: acme", "a known key; did you mean auth.accounts.project-id?"),
        ("  port: 0", "  operations: true", "keys below it, such as server.operations.host"),
        (
            "user-info: true", "authorization-parameters: {prompt: login}",
            "no keys below auth.provider.acme.authorization-parameters, which takes one value or a list"
        ),
    ])
    func `a key in another place names the right one`(old: String, new: String, expected: String) async throws {
        let found = try await Self.errors(replacing: old, with: new)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("): expected \(expected)") == true, "\(found)")
    }

    // MARK: YAML

    @Test func `numbers and truth values may be in quotes`() async throws {
        #expect(try await Self.errors(replacing: "user-info: true", with: "user-info: \"true\"").isEmpty)
        #expect(
            try await Self.errors(replacing: "clock-skew-seconds: 30", with: "clock-skew-seconds: '30'").isEmpty)
        #expect(
            try await Self.errors(replacing: "clock-skew-seconds: 30", with: "clock-skew-seconds: 30s") == [
                "auth.provider.acme.clock-skew-seconds (from FILE, line \(Self.line(of: "clock-skew"))): expected whole "
                    + "seconds, 0 to 299; write the number alone, without a unit"
            ])
    }

    @Test(arguments: ["null", "~", ""]) func `null is no value`(null: String) async throws {
        #expect(
            try await Self.errors(replacing: "client-secret: from-yaml", with: "client-secret: \(null)") == [
                "auth.provider.acme.client-secret (from FILE, line \(Self.line(of: "client-secret"))): expected a value, "
                    + "not null; write one, or leave the key out"
            ])
    }

    @Test func `a list in place of a text`() async throws {
        let found = try await Self.errors(replacing: "client-id: broker", with: "client-id: [broker]")
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("; the value is a list: write one text") == true, "\(found)")
    }

    @Test func `a section without keys is absent`() async throws {
        #expect(try await Self.errors(replacing: "  apps: [shop]", with: "  branding:\n  apps: [shop]").isEmpty)
    }

    @Test func `a merge key`() async throws {
        let line = Self.line(of: "user-info: true")
        #expect(
            try await Self.errors(replacing: "user-info: true", with: "<<: {user-info: true}") == [
                "auth.provider.acme (from FILE, line \(line)): expected no merge key (<<), which is not supported; write "
                    + "the keys out"
            ])
    }

    // MARK: URLs and secrets

    @Test(arguments: [
        ("AUTH_PUBLIC_URL", "https://auth.example.com/", "; remove the slash at its end"),
        ("AUTH_PUBLIC_URL", "https://auth.example.com/sign-in", "; the path belongs in auth.path-prefix"),
        ("AUTH_PUBLIC_URL", "auth.example.com", "; begin it with https://"),
        ("AUTH_PUBLIC_URL", "http://auth.example.com", "; use https"),
        (
            "AUTH_PROVIDER_ACME_ISSUER", "https://login.acme.example/.well-known/openid-configuration",
            "the issuer alone; leave '/.well-known/openid-configuration' out"
        ),
        ("AUTH_PUBLIC_URL", "https://b\u{FC}cher.example", "; write the host in ASCII, as xn--..."),
        ("AUTH_PROVIDER_ACME_ISSUER", "login.acme.example", "; begin it with https://"),
        ("AUTH_PROVIDER_ACME_ISSUER", "http://login.acme.example", "; use https"),
        ("AUTH_PROVIDER_ACME_ISSUER", "https://login.acme.example?a=b", "; remove the query (?)"),
        (
            "AUTH_PROVIDER_ACME_ISSUER", "https://login.acme.example/{tenant}/v2.0",
            "; replace the part in brackets by your own value"
        ),
        ("AUTH_PROVIDER_ACME_CLIENT_ID", "", "visible ASCII characters, required"),
        ("AUTH_PROVIDER_ACME_CLIENT_SECRET", "hush\nhush", "; it has a line break: put it in one line"),
        ("AUTH_PROVIDER_ACME_CLIENT_SECRET", " hush", "; it begins or ends with a space"),
        ("AUTH_PROVIDER_ACME_CLIENT_SECRET", "", "; it is empty"),
        ("AUTH_PROVIDER_ACME_CLIENT_ID", "br\u{F6}ker", "; it has a character that is not visible ASCII"),
        (
            "AUTH_APP_SHOP_REDIRECT_URIS", "https://shop.example/cb,https://shop.example/#x",
            "; entry 2 has a fragment (#)"
        ),
        ("AUTH_APP_SHOP_REDIRECT_URIS", "https://shop.example/*", "; entry 1 has a wildcard (*)"),
        ("AUTH_APP_SHOP_REDIRECT_URIS", "http://shop.example/cb", "; entry 1 is http beyond this machine: use https"),
        ("AUTH_APP_SHOP_REDIRECT_URIS", "shop.example", "; entry 1 has no scheme such as https://"),
        ("AUTH_APP_SHOP_REDIRECT_URIS", "localhost:3000/cb", "; entry 1 has no scheme such as https://"),
        (
            "AUTH_APP_SHOP_REDIRECT_URIS", "shop://callback",
            "; entry 1 has a scheme without a dot: use one such as com.example.app:/callback"
        ),
        (
            "AUTH_APP_SHOP_REDIRECT_URIS", "https://auth.example.com/__/auth/handler",
            ", not the broker's own callback: register that at the provider"
        ),
        ("AUTH_SEALING_KEYS", "AAAA", "; the key has 3 bytes"),
        ("AUTH_SEALING_KEYS", "/etc/oidc-broker/sealing-keys", "; for a path, use auth.sealing-keys-file"),
        ("AUTH_SIGNING_KEYS", "./signing-keys.pem", "; for a path, use auth.signing-keys-file"),
        ("AUTH_BRANDING_LOGO", "/etc/logo.png", "; for a path, use auth.branding.logo-file"),
        (
            "AUTH_PROVIDERS", "acme,Google",
            "; name 2 has a character that is not allowed, such as a capital letter or a dash"
        ),
        ("AUTH_PROVIDERS", "acme,1st", "; name 2 begins with a digit"),
        ("AUTH_PROVIDERS", "acme,acme", "; name 2 is listed twice"),
        ("SERVER_HOST", "localhost:8443", "; the port has a key of its own"),
        ("SERVER_HOST", "https://localhost", "; remove the scheme and the path"),
        ("SERVER_OPERATIONS_HOST", "[::1]", "; remove the brackets"),
        ("SERVER_TRUSTED_PROXIES", "proxy.example", "; entry 1 is not an address: host names are not accepted"),
        ("SERVER_TRUSTED_PROXIES", "192.0.2.1,::/0", "; entry 2 is every address"),
        ("SERVER_TRUSTED_PROXIES", "10.0.0.0/33", "; entry 1 has a prefix length that is too large"),
        (
            "SERVER_TRUSTED_PROXIES", "10.0.0.1/8",
            "; entry 1 has bits after the prefix of 8: write the first address of the network"
        ),
        ("AUTH_SEALING_KEYS", "hush!", "; the key is not base64 in one line, as 'openssl rand -base64 32' writes it"),
        ("AUTH_SIGNING_KEYS", "hush", "; the key is not PEM: it has no '-----BEGIN PRIVATE KEY-----' line"),
    ])
    func `a value names its mend`(variable: String, value: String, mend: String) async throws {
        let found = try await Self.errors([variable: value])
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(mend) == true, "\(found)")
        #expect(!"\(found)".contains("hush"))
    }

    @Test func `values that need other keys name their mend`() async throws {
        let valkey = ["AUTH_STORE_KIND": "valkey", "AUTH_STORE_VALKEY_ADDRESS": "redis://127.0.0.1:6379"]
        let proxies = ["SERVER_TRUSTED_PROXIES": "proxy.example", "SERVER_FORWARDED": "x-forwarded-for"]
        func accounts(_ database: String) -> [String: String] {
            SourcesFixture.accounts.merging(["AUTH_ACCOUNTS_DATABASE": database]) { $1 }
        }
        let rows: [([String: String], String)] = [
            (valkey, "; remove the scheme and the path"),
            (proxies, "; entry 1 is not an address: host names are not accepted"),
            (["SERVER_TLS_PRIVATE_KEY": "/key.pem"], ", required with server.tls.private-key"),
            (["SERVER_TLS_CERTIFICATE_CHAIN": "/chain.pem"], ", required with server.tls.certificate-chain"),
            (
                ["SERVER_PORT": "8443", "SERVER_OPERATIONS_PORT": "8443"],
                "another port than that of server.port, at the same address"
            ),
            (
                ["SERVER_REDIRECT_PORT": "9464", "SERVER_OPERATIONS_HOST": "::", "SERVER_OPERATIONS_PORT": "9464"],
                "another port than that of server.redirect.port, at the same address"
            ),
            (accounts("/var/lib/accounts.sqlite"), "; put sqlite: in front of the path"),
            (
                accounts("postgres://hush@db.example/accounts"),
                "; write postgresql, and the connection string in auth.store.postgresql.connection"
            ),
        ]
        for (changes, mend) in rows {
            let found = try await Self.errors(changes)
            #expect(found.count == 1)
            #expect(found.first?.hasSuffix(mend) == true, "\(found)")
            #expect(!"\(found)".contains("hush"))
        }
        #expect(
            try await Self.errors([
                "SERVER_PORT": "8443", "SERVER_OPERATIONS_PORT": "8443", "SERVER_OPERATIONS_HOST": "192.0.2.1",
            ]).isEmpty)
    }

    @Test func `a path in place of a secret, and in the way of a shell`() async throws {
        let key = "auth.provider.acme.client-secret"
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("secret", "hush")
            #expect(
                try await Self.errors(["AUTH_PROVIDER_ACME_CLIENT_SECRET": file]) == [
                    "\(key) (from environment): expected the secret itself, not a path; for a path, use \(key)-file"
                ])
        }
        // There is no such file: it may be a secret.
        #expect(try await Self.errors(["AUTH_PROVIDER_ACME_CLIENT_SECRET": "/nowhere/at/all"]).isEmpty)
        for path in ["~/secret", "${HOME}/secret"] {
            #expect(
                try await Self.errors(
                    ["AUTH_PROVIDER_ACME_CLIENT_SECRET_FILE": path], without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET"])
                    == [
                        "\(key)-file (from environment): expected a file that can be read; write the whole path: '~' "
                            + "and variables are not replaced"
                    ])
        }
    }

    #if SQLite
        @Test func `a database that cannot be made names its key, its path and the reason`() {
            let accounts = AccountsConfiguration(
                projectID: "acme-people", database: "sqlite:/nowhere/at/all.sqlite", apps: [])
            let error = #expect(throws: (any Error).self) {
                try AccountDatabase(accounts, beside: StoreConfiguration(), logger: .quiet)
            }
            #expect(
                error.map { "\($0)" }
                    == "auth.accounts.database (sqlite:/nowhere/at/all.sqlite): the file cannot be created: No such file or "
                    + "directory; its directory must belong to the server's user")
        }
    #endif

    // MARK: Certificates

    @Test func `certificates in the wrong order, a foreign key, and files that are exchanged`() async throws {
        try await SourcesFixture.run { fixture in
            let (own, other) = (
                try DevelopmentCertificate.make(hosts: ["localhost"]),
                try DevelopmentCertificate.make(hosts: ["localhost"])
            )
            let key = try fixture.write("key.pem", own.privateKeyPEM)
            let chain = try fixture.write("chain.pem", own.certificatePEM)
            let foreign = try fixture.write("foreign.pem", other.certificatePEM)
            let turned = try fixture.write("turned.pem", other.certificatePEM + "\n" + own.certificatePEM)
            let marked = try fixture.write("marked.pem", "\u{FEFF}" + own.certificatePEM + "\n" + other.certificatePEM)
            for (chain, key, mend) in [
                (marked, key, "begins with a byte order mark: save it without"),
                (turned, key, "the private key belongs to certificate 2 of the file, which has to be first"),
                (foreign, key, "this one belongs to no certificate of that file"),
                (key, key, "'\(key)' is a private key, not a certificate"),
                (chain, chain, "'\(chain)' is a certificate, not a private key"),
                ("/nowhere/at/all", key, "'/nowhere/at/all': No such file or directory"),
            ] {
                let found = try await Self.errors(
                    ["SERVER_TLS_CERTIFICATE_CHAIN": chain, "SERVER_TLS_PRIVATE_KEY": key])
                #expect(found.count == 1)
                #expect(found.first?.hasSuffix(mend) == true, "\(found)")
            }
        }
    }

    @Test(
        arguments: [
            ("\u{FEFF}" + block("CERTIFICATE"), "begins with a byte order mark: save it without"),
            (block("CERTIFICATE REQUEST"), "is a certificate request, not a certificate"),
            (block("NEW CERTIFICATE REQUEST"), "is a certificate request, not a certificate"),
            (block("CERTIFICATE"), "has a certificate that is damaged or incomplete"),
            (block("PUBLIC KEY"), "has no certificate"),
            ("hush", "is not PEM: it has no '-----BEGIN CERTIFICATE-----' line"), ("", "is empty"),
        ])
    func `a file that is no certificate is named for what it is`(text: String, problem: String) async throws {
        try await SourcesFixture.run { fixture in
            let key = try fixture.write("key.pem", DevelopmentCertificate.make(hosts: ["localhost"]).privateKeyPEM)
            let chain = try fixture.write("chain.pem", text)
            let found = try await Self.errors(["SERVER_TLS_CERTIFICATE_CHAIN": chain, "SERVER_TLS_PRIVATE_KEY": key])
            #expect(found.count == 1)
            #expect(found.first?.hasSuffix("'\(chain)' \(problem)") == true, "\(found)")
        }
    }

    /// A PEM block without the content of its label.
    private static func block(_ label: String) -> String {
        "-----BEGIN \(label)-----\nAAAA\n-----END \(label)-----\n"
    }

    @Test func `a certificate that ends within two weeks is a finding`() async throws {
        try await SourcesFixture.run { fixture in
            let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
            let loaded = try await SourcesFixture.load(
                environment: SourcesFixture.environment(with: [
                    "SERVER_TLS_CERTIFICATE_CHAIN": fixture.write("chain.pem", certificate.certificatePEM),
                    "SERVER_TLS_PRIVATE_KEY": fixture.write("key.pem", certificate.privateKeyPEM),
                ]))
            let certificates = try PEMFile.certificates(atPath: loaded.server.tls?.certificateChain ?? "").get()
            let end = try #require(certificates.first.map { Int64($0.notValidAfter) })
            let prefix =
                "server.tls.certificate-chain: expected a certificate with at least 14 days left; it "
            for (time, problem) in [
                (end - 14 * 86_400, nil), (end - 14 * 86_400 + 1, "has 13 days left"), (end, "expired 0 days ago"),
                (end + 2 * 86_400, "expired 2 days ago"), (0, "is not valid yet"),
            ] as [(Int64, String?)] {
                let found = loaded.expiryFindings(now: time).map(\.description)
                #expect(found == (problem.map { [prefix + $0] } ?? []))
            }
        }
    }

    @Test func `a client secret that ends within two weeks is a finding`() async throws {
        let loaded = try await SourcesFixture.load(
            environment: SourcesFixture.environment(with: ["AUTH_PROVIDER_ACME_CLIENT_SECRET_EXPIRES": "2027-03-01"]))
        // 2027-03-01T00:00:00Z
        let end: Int64 = 1_803_859_200
        let prefix =
            "auth.provider.acme.client-secret-expires: expected a client secret with at least 14 days left; it "
        for (time, problem) in [
            (0, nil), (end - 14 * 86_400, nil), (end - 14 * 86_400 + 1, "has 13 days left"),
            (end + 2 * 86_400, "expired 2 days ago"),
        ] as [(Int64, String?)] {
            let found = loaded.expiryFindings(now: time).map(\.description)
            #expect(found == (problem.map { [prefix + $0] } ?? []))
        }
    }

    @Test func `a file of the audit that cannot be made is a finding`() async throws {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("audit.log", "")
            for (path, reason) in [
                ("-", nil), (file, nil), (file + ".new", nil), ("/nowhere/at/all.log", "No such file or directory"),
                (file + "/audit.log", "Not a directory"), ("/tmp", "Is a directory"),
            ] as [(String, String?)] {
                let loaded = try await SourcesFixture.load(
                    environment: SourcesFixture.environment(with: ["SERVER_LOG_AUDIT": path]))
                let text = reason.map {
                    "server.log.audit: expected a file that can be written or made; '\(path)': \($0)"
                }
                #expect(loaded.auditFindings.map(\.description) == [text].compactMap { $0 })
            }
        }
    }

    @Test func `a configuration file with a secret that others can read is named`() async throws {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("broker.yaml", SourcesFixture.yaml)
            for (mode, keys) in [(0o600, []), (0o640, []), (0o644, ["auth.sealing-keys"])] as [(Int, [String])] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
                let found = try await SourcesFixture.load(file: file).exposedSecretFiles
                #expect(found.count == keys.count)
                #expect(found.allSatisfy { $0.expected.hasSuffix("'\(file)' has the mode \(String(mode, radix: 8))") })
            }
        }
    }

    @Test func `what is easily forgotten is advice`() async throws {
        let loaded = try await SourcesFixture.load(environment: SourcesFixture.environment)
        #expect(
            loaded.advice.map(\.description) == [
                "auth.provider.acme.scopes: expected email in scopes or app-scopes; without it ID tokens have no email",
                "auth.app.shop.title: expected the app's name as users know it; pages show 'Shop'",
            ])
        let mended = try await SourcesFixture.load(
            environment: SourcesFixture.environment(with: [
                "AUTH_PROVIDER_ACME_APP_SCOPES": "email", "AUTH_APP_SHOP_TITLE": "The shop",
            ]))
        #expect(mended.advice.isEmpty)
    }

    @Test(arguments: ["trusted", "trusted-with-secret"])
    func `a network that is trusted with the metadata is advice`(network: String) async throws {
        let loaded = try await SourcesFixture.load(
            environment: SourcesFixture.environment(with: [
                "AUTH_PROVIDER_ACME_METADATA_URL": "http://keycloak:8080/m",
                "AUTH_PROVIDER_ACME_METADATA_NETWORK": network, "AUTH_PROVIDER_ACME_APP_SCOPES": "email",
                "AUTH_APP_SHOP_TITLE": "The shop",
            ]))
        #expect(
            loaded.advice.map(\.description) == [
                "auth.provider.acme.metadata-network: expected https at metadata-url; with http, anyone on that network "
                    + "can sign in as any user"
            ])
    }

    @Test func `scopes that apps ask for and are never granted are named`() async throws {
        func named(_ scopes: String) async throws -> [String] {
            try await SourcesFixture.load(
                environment: SourcesFixture.environment(with: ["AUTH_PROVIDER_ACME_APP_SCOPES": scopes])
            ).ungrantedScopes
        }
        let found = try await named("profile,calendar")
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("auth.provider.acme.scopes: an app that asks for email is never granted") == true)
        #expect(try await named("email,profile").isEmpty)
    }
}
