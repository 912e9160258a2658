// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// Text of a client or a provider cannot forge a field of a log line.
struct LogForgeryTests {
    private static let forgeries = [
        "x auth.outcome=signed_in", #"x" auth.outcome=signed_in"#, #"x\" auth.outcome="signed_in""#,
        "x' auth.outcome=signed_in '",
    ]

    /// The fields of a line for a parser that splits at spaces and does not support quotes.
    private func expectHonest(
        _ installation: Installation, _ label: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let line = try #require(
            installation.log.lines.last { $0.metadata["auth.outcome"] != nil }, sourceLocation: sourceLocation)
        let fields = line.text.split(separator: " ").filter { $0.contains("=") }
        #expect(Set(fields.map { $0.prefix { $0 != "=" } }).count == fields.count, sourceLocation: sourceLocation)
        #expect(fields.contains("auth.outcome=\(label)"), "\(line.text)", sourceLocation: sourceLocation)
        #expect(fields.count == line.metadata.count, "\(line.text)", sourceLocation: sourceLocation)
        let detail = try #require(line.metadata["auth.detail"], sourceLocation: sourceLocation)
        #expect(detail.hasPrefix("\"") && detail.hasSuffix("\""), "\(detail)", sourceLocation: sourceLocation)
        #expect(!detail.dropFirst().dropLast().contains { "\"\\=".contains($0) }, sourceLocation: sourceLocation)
    }

    @Test(arguments: forgeries)
    func `by the error of an authorization response`(text: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try browser.start()
        _ = try browser.bring(installation.provider.refuse(request, text, description: text))
        try expectHonest(installation, "refused_by_provider")
    }

    @Test(arguments: forgeries)
    func `by the error of a token endpoint`(text: String) throws {
        let installation = try Installation()
        installation.provider.behave { $0.responses["/token"] = .json(["error": .string(text)], status: 400) }
        var browser = Browser(installation)
        _ = try browser.bring(try browser.authenticate())
        try expectHonest(installation, "failed_token")
    }

    @Test(arguments: forgeries)
    func `by a claim`(text: String) throws {
        for name in ["aud", "iss"] {
            let installation = try Installation()
            installation.provider.behave { $0.claims[name] = .string(text) }
            var browser = Browser(installation)
            _ = try browser.bring(try browser.authenticate())
            try expectHonest(installation, "failed_id_token")
        }
    }

    @Test(arguments: forgeries)
    func `by the error of a pushed request, where a sign-in cannot begin`(text: String) throws {
        let installation = try Installation { $0.providers[0].configuration.pushedAuthorization = true }
        installation.provider.behave {
            $0.metadata = ["pushed_authorization_request_endpoint": "https://login.acme.example/par"]
            $0.responses["/par"] = .json(["error": .string(text)], status: 400)
        }
        var browser = Browser(installation)
        _ = try browser.get(AppClient.shop.target())
        try expectHonest(installation, "failed_pushed_authorization")
    }
}
