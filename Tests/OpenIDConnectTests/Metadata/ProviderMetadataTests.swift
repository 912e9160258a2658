// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@Suite struct ProviderMetadataTests {
    private static let issuer = "https://issuer.example"

    private static let document: JSONObject = [
        "issuer": "https://issuer.example",
        "authorization_endpoint": "https://issuer.example/authorize",
        "token_endpoint": "https://issuer.example/token",
        "jwks_uri": "https://keys.example/jwks",
    ]

    private func read(
        issuer: String = Self.issuer,
        allowsLoopbackHTTP: Bool = false,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> ProviderMetadata {
        var document = Self.document
        change(&document)
        return try ProviderMetadata(
            json: document.serialized(), issuer: issuer, allowsLoopbackHTTP: allowsLoopbackHTTP)
    }

    @Test func `reads a document whole`() throws {
        let metadata = try read { document in
            document["userinfo_endpoint"] = "https://issuer.example/userinfo"
            document["token_endpoint_auth_methods_supported"] = ["client_secret_post", "private_key_jwt"]
            document["authorization_response_iss_parameter_supported"] = true
            document["id_token_signing_alg_values_supported"] = ["none", "HS256", "ES256", "EdDSA", "ML-DSA-65"]
        }
        #expect(metadata.issuer == "https://issuer.example")
        #expect(metadata.authorizationEndpoint.text == "https://issuer.example/authorize")
        #expect(metadata.tokenEndpoint.text == "https://issuer.example/token")
        #expect(metadata.keySetURL.text == "https://keys.example/jwks")
        #expect(metadata.userInfoEndpoint?.text == "https://issuer.example/userinfo")
        #expect(metadata.clientAuthenticationMethods == ["client_secret_post", "private_key_jwt"])
        #expect(metadata.announcesIssuer)
        #expect(metadata.idTokenAlgorithms == [.es256, .eddsa])
    }

    @Test func `the defaults are those of the standards`() throws {
        let metadata = try read()
        #expect(metadata.userInfoEndpoint == nil)
        #expect(metadata.clientAuthenticationMethods == ["client_secret_basic"])
        #expect(!metadata.announcesIssuer)
        #expect(metadata.idTokenAlgorithms == [.rs256])
    }

    @Test(arguments: [
        "https://issuer.example/", "https://Issuer.example", "HTTPS://issuer.example", "http://issuer.example",
        "https://issuer.example:443", "https://issuer.exampleINVALID", "https://issuer.example/path",
        "https://issuer.example ", "issuer.example", "",
    ])
    func `the issuer is compared byte for byte`(announced: String) {
        #expect(throws: ProviderMetadataError.issuerMismatch) { try read { $0["issuer"] = .string(announced) } }
    }

    @Test func `an issuer with a slash at its end is another one than without`() throws {
        #expect(throws: ProviderMetadataError.issuerMismatch) { try read(issuer: "https://issuer.example/") }
        let metadata = try read(issuer: "https://issuer.example/") { $0["issuer"] = "https://issuer.example/" }
        #expect(metadata.issuer == "https://issuer.example/")
    }

    @Test func `a character that only counts as the same is not the same byte`() {
        // U+212A is the Kelvin sign: Swift's == takes it for a K.
        #expect(throws: ProviderMetadataError.issuerMismatch) {
            try read(issuer: "https://issuer.example/K") { $0["issuer"] = "https://issuer.example/\u{212A}" }
        }
    }

    @Test func `an issuer that is no text is not the issuer`() {
        for value: JSONValue in [.null, 1, ["https://issuer.example"], true] {
            #expect(throws: ProviderMetadataError.issuerMismatch) { try read { $0["issuer"] = value } }
        }
    }

    @Test(arguments: ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `a missing member is named`(member: String) {
        #expect(throws: ProviderMetadataError.missing(member)) { try read { $0[member] = nil } }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"])
    func `P1 an endpoint that is not an https URL is refused by its name`(member: String) {
        let values: [JSONValue] = [
            "http://issuer.example/x", "http://127.0.0.1/x", "http://localhost/x", "/relative", "",
            "ftp://issuer.example",
            "https://user@issuer.example/x", "https://issuer.example/x#y", "https://issuer.example\\@evil.example", 1,
            .null,
            ["https://issuer.example/x"],
        ]
        for value in values {
            #expect(throws: ProviderMetadataError.unacceptable(member)) { try read { $0[member] = value } }
        }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"])
    func `http is taken on this machine alone, and only where that is allowed`(member: String) throws {
        for value: JSONValue in ["http://127.0.0.1:8080/x", "http://localhost/x", "http://[::1]:1/x"] {
            #expect(throws: Never.self) { try read(allowsLoopbackHTTP: true) { $0[member] = value } }
        }
        for value: JSONValue in ["http://issuer.example/x", "http://127.evil.com/x", "http://169.254.169.254/x"] {
            #expect(throws: ProviderMetadataError.unacceptable(member)) {
                try read(allowsLoopbackHTTP: true) { $0[member] = value }
            }
        }
    }

    @Test func `lists are lists of names`() {
        let members = ["token_endpoint_auth_methods_supported", "id_token_signing_alg_values_supported"]
        for member in members {
            for value: JSONValue in ["RS256", .null, 1, ["RS256", 1], [.null], [:]] {
                #expect(throws: ProviderMetadataError.unacceptable(member)) { try read { $0[member] = value } }
            }
        }
    }

    @Test func `an empty list of client authentication is an empty list`() throws {
        let metadata = try read { $0["token_endpoint_auth_methods_supported"] = [] }
        #expect(metadata.clientAuthenticationMethods.isEmpty)
    }

    @Test func `J4 without an algorithm that can be verified the document is of no use`() {
        for value: JSONValue in [["none"], ["HS256", "none"], [], ["rs256"], ["RS1"]] {
            #expect(throws: ProviderMetadataError.unacceptable("id_token_signing_alg_values_supported")) {
                try read { $0["id_token_signing_alg_values_supported"] = value }
            }
        }
    }

    @Test func `whether iss is announced is a boolean`() throws {
        #expect(try !read { $0["authorization_response_iss_parameter_supported"] = false }.announcesIssuer)
        for value: JSONValue in ["true", 1, .null] {
            #expect(throws: ProviderMetadataError.unacceptable("authorization_response_iss_parameter_supported")) {
                try read { $0["authorization_response_iss_parameter_supported"] = value }
            }
        }
    }

    @Test(arguments: [
        "", "[]", "null", "<html></html>", #"{"issuer":"https://issuer.example","issuer":"https://issuer.example"}"#,
        "\u{FEFF}{}", "{} {}",
    ])
    func `P1 P10 what is not one JSON object is unreadable`(text: String) {
        let error = #expect(throws: ProviderMetadataError.self) {
            try ProviderMetadata(json: Array(text.utf8), issuer: Self.issuer, allowsLoopbackHTTP: false)
        }
        #expect(error?.description.hasPrefix("the discovery document can not be read") == true)
    }

    @Test func `P1 a document is at most 256 KB long`() throws {
        func padded(to bytes: Int) -> [UInt8] {
            var document = Self.document
            document["pad"] = ""
            let missing = bytes - document.serialized().count
            document["pad"] = .string(String(repeating: "x", count: missing))
            return document.serialized()
        }
        #expect(padded(to: 262_144).count == 262_144)
        let metadata = try ProviderMetadata(json: padded(to: 262_144), issuer: Self.issuer, allowsLoopbackHTTP: false)
        #expect(metadata.issuer == Self.issuer)
        let error = #expect(throws: ProviderMetadataError.self) {
            try ProviderMetadata(json: padded(to: 262_145), issuer: Self.issuer, allowsLoopbackHTTP: false)
        }
        #expect(error?.description.hasPrefix("the discovery document can not be read") == true)
    }

    @Test(arguments: [
        ("https://issuer.example", "https://issuer.example/.well-known/openid-configuration"),
        ("https://issuer.example/", "https://issuer.example/.well-known/openid-configuration"),
        ("https://issuer.example/t/v2.0", "https://issuer.example/t/v2.0/.well-known/openid-configuration"),
        ("https://issuer.example/t/", "https://issuer.example/t/.well-known/openid-configuration"),
    ])
    func `Discovery section 4.1 where the document stands`(issuer: String, url: String) {
        #expect(ProviderMetadata.url(ofIssuer: issuer) == url)
    }
}
