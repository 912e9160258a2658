// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct ProviderMetadataTests {
    private static let issuer = "https://issuer.example"

    private static let document: JSONObject = [
        "issuer": "https://issuer.example",
        "authorization_endpoint": "https://issuer.example/authorize",
        "token_endpoint": "https://issuer.example/token",
        "jwks_uri": "https://keys.example/jwks",
    ]

    static let endpoints = [
        "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "revocation_endpoint",
        "pushed_authorization_request_endpoint",
    ]

    private func read(
        issuer: String = Self.issuer,
        allowsLoopbackHTTP: Bool = false,
        refusedHost: String? = nil,
        issuerTemplateAllowed: Bool = false,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> ProviderMetadata {
        var document = Self.document
        change(&document)
        return try ProviderMetadata(
            json: document.serialized(), issuer: issuer, allowsLoopbackHTTP: allowsLoopbackHTTP,
            isAllowed: { $0.host != refusedHost }, issuerTemplateAllowed: issuerTemplateAllowed)
    }

    /// Uses a member as a sign-in, a request to an endpoint or signed UserInfo does.
    private func use(_ member: String, of metadata: ProviderMetadata) throws(ProviderMetadataError) {
        switch member {
        case "userinfo_endpoint": _ = try metadata.required(.userInfo, isMutualTLS: false)
        case "revocation_endpoint": _ = try metadata.required(.revocation, isMutualTLS: false)
        case "pushed_authorization_request_endpoint": _ = try authorization(metadata, isPushed: true)
        case "userinfo_signing_alg_values_supported": try metadata.checkUserInfoAlgorithms()
        case "authorization_signing_alg_values_supported": try metadata.checkResponseAlgorithms()
        case "token_endpoint_auth_methods_supported": try metadata.checkAuthenticationMethods(of: .token)
        case "revocation_endpoint_auth_methods_supported": try metadata.checkAuthenticationMethods(of: .revocation)
        case "mtls_endpoint_aliases": _ = try metadata.required(.token, isMutualTLS: true)
        default: _ = try authorization(metadata)
        }
    }

    private func authorization(
        _ metadata: ProviderMetadata, isPushed: Bool = false, hasCode: Bool = true, registersAlgorithms: Bool = false,
        verifiesByKeySet: Bool = true
    ) throws(ProviderMetadataError) -> AbsoluteURL {
        try metadata.authorizationEndpoint(
            isPushed: isPushed, hasCode: hasCode, isMutualTLS: false, registersAlgorithms: registersAlgorithms,
            verifiesByKeySet: verifiesByKeySet)
    }

    /// Members that are used somewhere, of each kind.
    static let used =
        endpoints + [
            "authorization_response_iss_parameter_supported", "require_pushed_authorization_requests",
            "token_endpoint_auth_methods_supported", "revocation_endpoint_auth_methods_supported",
            "id_token_signing_alg_values_supported", "userinfo_signing_alg_values_supported", "mtls_endpoint_aliases",
            "authorization_signing_alg_values_supported", "require_signed_request_object",
        ]

    /// Members on which nothing depends.
    static let unused = [
        "response_types_supported", "response_modes_supported", "code_challenge_methods_supported", "scopes_supported",
        "acr_values_supported", "claims_parameter_supported", "request_object_signing_alg_values_supported",
        "id_token_encryption_alg_values_supported", "id_token_encryption_enc_values_supported", "end_session_endpoint",
        "token_endpoint_auth_signing_alg_values_supported", "revocation_endpoint_auth_signing_alg_values_supported",
        "introspection_endpoint", "registration_endpoint", "op_policy_uri", "claims_supported", "check_session_iframe",
        "backchannel_logout_supported", "service_documentation", "x_vendor",
    ]

    @Test(.attack(.hostileDiscovery), arguments: used)
    func `a member that is not acceptable is named by what uses it, and stops nothing else`(member: String) throws {
        let isBoolean = member.hasPrefix("require") || member.hasPrefix("authorization_response")
        for value: JSONValue in [
            7, isBoolean ? "true" : true, [1], ["a", .null], member.hasPrefix("mtls") ? "a" : [:],
            Self.endpoints.contains(member) ? "http://issuer.example/x" : 8,
        ] {
            let metadata = try read { document in
                for endpoint in Self.endpoints { document[endpoint] = .string("https://issuer.example/" + endpoint) }
                document[member] = value
            }
            #expect(throws: ProviderMetadataError.unacceptable(member)) { try use(member, of: metadata) }
            #expect(metadata.issuer == Self.issuer)
            // Nor does it change what another one says.
            for other in Self.used where other != member && !Self.isNeeded(member, by: other) {
                #expect(throws: Never.self, "\(member) \(other)") { try use(other, of: metadata) }
            }
        }
    }

    /// Whether the use of a member here needs another one too.
    private static func isNeeded(_ member: String, by other: String) -> Bool {
        let ofSignIn = [
            "authorization_endpoint", "token_endpoint", "jwks_uri", "id_token_signing_alg_values_supported",
            "authorization_response_iss_parameter_supported", "require_pushed_authorization_requests",
            "require_signed_request_object",
        ]
        let ofPush = ofSignIn + ["pushed_authorization_request_endpoint"]
        return ofSignIn.contains(member) && ofPush.contains(other)
            || member == "token_endpoint" && other == "mtls_endpoint_aliases"
    }

    @Test(arguments: used + unused) func `a member that is blank is absent`(member: String) throws {
        for value: JSONValue in [.null, "", []] {
            // An empty list, which Discovery requires, means that there is none.
            if member == "id_token_signing_alg_values_supported", value == [] { continue }
            let blank = try read { $0[member] = value }
            let absent = try read { $0[member] = nil }
            #expect(Self.described(blank) == Self.described(absent))
            #expect(problem(member, blank) == problem(member, absent))
        }
    }

    private func problem(_ member: String, _ metadata: ProviderMetadata) -> ProviderMetadataError? {
        do throws(ProviderMetadataError) {
            try use(member, of: metadata)
            return nil
        } catch {
            return error
        }
    }

    private static func described(_ metadata: ProviderMetadata) -> String {
        Mirror(reflecting: metadata).children.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: "\n")
    }

    @Test(arguments: unused) func `a member on which nothing depends is not judged`(member: String) throws {
        for value: JSONValue in [7, true, "text", ["a", 1], ["a"], [:], "http://127.0.0.1/x"] {
            let metadata = try read { $0[member] = value }
            #expect(throws: Never.self) { try authorization(metadata) }
        }
    }

    @Test func `a sign-in needs the members of its own flow alone`() throws {
        let native = try read { document in
            for member in ["authorization_endpoint", "token_endpoint"] { document[member] = nil }
        }
        #expect(try native.requiredKeySetURL().text == "https://keys.example/jwks")
        let implicit = try read { $0["token_endpoint"] = nil }
        #expect(try authorization(implicit, hasCode: false).path == "/authorize")
        #expect(throws: ProviderMetadataError.missing("token_endpoint")) { try authorization(implicit) }
        let symmetric = try read { document in
            document["jwks_uri"] = nil
            document["id_token_signing_alg_values_supported"] = ["none"]
        }
        #expect(
            try authorization(symmetric, registersAlgorithms: true, verifiesByKeySet: false).path == "/authorize")
        #expect(throws: ProviderMetadataError.missing("jwks_uri")) { try authorization(symmetric) }
    }

    @Test func `reads a document whole`() throws {
        let metadata = try read { document in
            document["userinfo_endpoint"] = "https://issuer.example/userinfo"
            document["token_endpoint_auth_methods_supported"] = ["client_secret_post", "private_key_jwt"]
            document["authorization_response_iss_parameter_supported"] = true
            document["id_token_signing_alg_values_supported"] = [
                "none", "HS256", "ES256", "EdDSA", "Ed25519", "ML-DSA-65",
            ]
            document["userinfo_signing_alg_values_supported"] = ["none", "RS256", "PS256"]
            document["token_endpoint_auth_signing_alg_values_supported"] = ["ES256", "ML-DSA-65"]
            document["response_types_supported"] = ["code", "id_token code"]
            document["response_modes_supported"] = ["query", "form_post"]
            document["pushed_authorization_request_endpoint"] = "https://issuer.example/par"
            document["require_pushed_authorization_requests"] = true
            document["revocation_endpoint"] = "https://issuer.example/revoke"
            document["revocation_endpoint_auth_methods_supported"] = ["client_secret_basic"]
            document["revocation_endpoint_auth_signing_alg_values_supported"] = ["RS256"]
            document["mtls_endpoint_aliases"] = [
                "token_endpoint": "https://mtls.issuer.example/token", "registration_endpoint": 1,
            ]
        }
        #expect(metadata.issuer == "https://issuer.example")
        #expect(metadata.authorizationEndpoint?.text == "https://issuer.example/authorize")
        #expect(metadata.tokenEndpoint?.text == "https://issuer.example/token")
        #expect(metadata.keySetURL?.text == "https://keys.example/jwks")
        #expect(metadata.userInfoEndpoint?.text == "https://issuer.example/userinfo")
        #expect(metadata.clientAuthenticationMethods == ["client_secret_post", "private_key_jwt"])
        #expect(metadata.announcesIssuer)
        #expect(metadata.idTokenAlgorithms == [.hs256, .es256, .eddsa, .ed25519])
        #expect(metadata.userInfoAlgorithms == [.rs256, .ps256])
        #expect(metadata.clientAuthenticationSigningAlgorithms == ["ES256", "ML-DSA-65"])
        #expect(metadata.responseTypes == ["code", "id_token code"])
        #expect(metadata.responseModes == ["query", "form_post"])
        #expect(metadata.pushedAuthorizationEndpoint?.text == "https://issuer.example/par")
        #expect(metadata.requiresPushedAuthorization)
        #expect(metadata.revocationEndpoint?.text == "https://issuer.example/revoke")
        #expect(metadata.revocationAuthenticationMethods == ["client_secret_basic"])
        #expect(metadata.revocationAuthenticationSigningAlgorithms == ["RS256"])
        #expect(metadata.mutualTLSAliases.mapValues(\.text) == ["token_endpoint": "https://mtls.issuer.example/token"])
    }

    @Test func `the defaults are those of the standards`() throws {
        let metadata = try read()
        #expect(metadata.userInfoEndpoint == nil)
        #expect(metadata.clientAuthenticationMethods == ["client_secret_basic"])
        #expect(!metadata.announcesIssuer)
        #expect(metadata.idTokenAlgorithms == [.rs256])
        #expect(metadata.userInfoAlgorithms.isEmpty)
        #expect(metadata.clientAuthenticationSigningAlgorithms.isEmpty)
        #expect(metadata.responseTypes == nil)
        #expect(metadata.responseModes == nil)
        #expect(metadata.pushedAuthorizationEndpoint == nil)
        #expect(!metadata.requiresPushedAuthorization)
        #expect(metadata.revocationEndpoint == nil)
        #expect(metadata.revocationAuthenticationMethods == nil)
        #expect(metadata.revocationAuthenticationSigningAlgorithms.isEmpty)
        #expect(metadata.mutualTLSAliases.isEmpty)
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

    @Test func `an issuer that is not a string is not the issuer`() {
        for value: JSONValue in [.null, 1, ["https://issuer.example"], true] {
            #expect(throws: ProviderMetadataError.issuerMismatch) { try read { $0["issuer"] = value } }
        }
    }

    @Test(
        arguments: AuthorizationRequest.reservedNames.sorted() + [
            "prompt", "max_age", "acr_values", "login_hint", "display", "ui_locales", "claims_locales",
        ])
    func `an authorization endpoint with a parameter that the request sends`(name: String) throws {
        // As it is written, empty, escaped, behind another, and twice.
        let escaped = name.utf8.map { "%" + String($0, radix: 16) }.joined()
        for query in ["\(name)=x", name, "\(escaped)=x", "p=b2c&&\(name)=x", "\(name)=x&\(name)=y"] {
            #expect(throws: ProviderMetadataError.requestParameter(name)) {
                try authorization(
                    try read { $0["authorization_endpoint"] = .string("https://issuer.example/authorize?" + query) })
            }
        }
        #expect("\(ProviderMetadataError.requestParameter(name))".contains("'\(name)' in its query"))
    }

    @Test func `an authorization endpoint with a query`() throws {
        for query in ["", "p=b2c_1_signin", "tenant=a&tenant=b", "State=x", "state2=x", "p=client_id", "%CC%81=1"] {
            let text = "https://issuer.example/authorize?" + query
            #expect(try authorization(try read { $0["authorization_endpoint"] = .string(text) }).text == text)
        }
        for query in ["%", "%zz=1", "%C0%AF=1"] {
            #expect(throws: ProviderMetadataError.unacceptable("authorization_endpoint")) {
                try authorization(
                    try read { $0["authorization_endpoint"] = .string("https://issuer.example/authorize?" + query) })
            }
        }
        for name in ["code_challenge_method2", "client_assertion_x"] {
            let error = #expect(throws: ProviderMetadataError.self) {
                try authorization(
                    try read { $0["authorization_endpoint"] = .string("https://issuer.example/authorize?\(name)=1") })
            }
            #expect(error?.description.contains(name.prefix(14)) == true)
        }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "pushed_authorization_request_endpoint"])
    func `a missing member is named`(member: String) throws {
        #expect(throws: ProviderMetadataError.missing("issuer")) { try read { $0["issuer"] = nil } }
        let metadata = try read { $0[member] = nil }
        #expect(throws: ProviderMetadataError.missing(member)) {
            try authorization(metadata, isPushed: member.hasPrefix("pushed"))
        }
    }

    @Test(.attack(.hostileDiscovery), arguments: ProviderMetadataTests.endpoints)
    func `an endpoint that is not an https URL is refused by its name`(member: String) throws {
        let values: [JSONValue] = [
            "http://issuer.example/x", "http://127.0.0.1/x", "http://localhost/x", "/relative",
            "ftp://issuer.example",
            "https://user@issuer.example/x", "https://issuer.example/x#y", "https://issuer.example\\@evil.example", 1,
            ["https://issuer.example/x"],
        ]
        for value in values {
            #expect(throws: ProviderMetadataError.unacceptable(member)) {
                try use(member, of: try read { $0[member] = value })
            }
        }
    }

    @Test(arguments: ProviderMetadataTests.endpoints)
    func `http is taken on this machine alone, and only where that is allowed`(member: String) throws {
        for value: JSONValue in ["http://127.0.0.1:8080/x", "http://localhost/x", "http://[::1]:1/x"] {
            let metadata = try read(allowsLoopbackHTTP: true) { $0[member] = value }
            #expect(throws: Never.self) { try use(member, of: metadata) }
        }
        for value: JSONValue in ["http://issuer.example/x", "http://127.evil.com/x", "http://169.254.169.254/x"] {
            #expect(throws: ProviderMetadataError.unacceptable(member)) {
                try use(member, of: try read(allowsLoopbackHTTP: true) { $0[member] = value })
            }
        }
    }

    @Test(.attack(.hostileDiscovery), arguments: ProviderMetadataTests.endpoints)
    func `an endpoint on a host that is not allowed is refused by what uses it, but not one for browsers`(
        member: String
    ) throws {
        let metadata = try read(refusedHost: "10.0.0.1") { $0[member] = "https://10.0.0.1/x" }
        guard member != "authorization_endpoint" else {
            #expect(try authorization(metadata).host == "10.0.0.1")
            return
        }
        #expect(throws: ProviderMetadataError.hostNotAllowed(member)) { try use(member, of: metadata) }
        for other in Self.used where !Self.isNeeded(member, by: other) && !Self.endpoints.contains(other) {
            #expect(throws: Never.self, "\(member) \(other)") { try use(other, of: metadata) }
        }
    }

    @Test func `a list of registered names has at most 256`() throws {
        let member = "token_endpoint_auth_methods_supported"
        let names = [JSONValue](repeating: "none", count: 256)
        #expect(try read { $0[member] = .array(names) }.clientAuthenticationMethods.count == 256)
        let metadata = try read { $0[member] = .array(names + ["none"]) }
        #expect(throws: ProviderMetadataError.unacceptable(member)) { try use(member, of: metadata) }
    }

    @Test func `an empty list of client authentication is the default`() throws {
        let metadata = try read { $0["token_endpoint_auth_methods_supported"] = [] }
        #expect(metadata.clientAuthenticationMethods == ["client_secret_basic"])
    }

    @Test(.attack(.unexpectedAlgorithm)) func `without an algorithm that can be verified the document is of no use`()
        throws
    {
        for value: JSONValue in [["none"], ["none", "None"], [], ["rs256"], ["RS1"], ["hs256"]] {
            let metadata = try read { $0["id_token_signing_alg_values_supported"] = value }
            #expect(metadata.idTokenAlgorithms.isEmpty && metadata.announcesIDTokenAlgorithms)
            #expect(throws: ProviderMetadataError.unacceptable("id_token_signing_alg_values_supported")) {
                try authorization(metadata)
            }
        }
    }

    @Test func `algorithms that are registered and not supported are named, others are not`() throws {
        let error = #expect(throws: ProviderMetadataError.self) {
            try authorization(
                try read { $0["id_token_signing_alg_values_supported"] = ["ML-DSA-44", "s3cr3t", "ML-DSA-65"] })
        }
        #expect(
            error?.description == "the discovery document has no supported algorithm in "
                + "'id_token_signing_alg_values_supported', only ML-DSA-44, ML-DSA-65")
        let metadata = try read { $0["id_token_signing_alg_values_supported"] = ["ML-DSA-44", "RS256"] }
        #expect(metadata.idTokenAlgorithms == [.rs256])
    }

    @Test(.attack(.unregisteredSecretSignature))
    func `an announced symmetric algorithm is for clients that registered it`() throws {
        let metadata = try read { $0["id_token_signing_alg_values_supported"] = ["HS256", "none"] }
        #expect(metadata.idTokenAlgorithms == [.hs256])
        #expect(metadata.idTokenAlgorithms.isDisjoint(with: JSONWebAlgorithm.asymmetric))
    }

    @Test(arguments: ["authorization_response_iss_parameter_supported", "require_pushed_authorization_requests"])
    func `a flag is a boolean`(member: String) throws {
        let metadata = try read { $0[member] = false }
        #expect(!metadata.announcesIssuer)
        #expect(!metadata.requiresPushedAuthorization)
        for value: JSONValue in ["true", "false", 1, 0, [true], [:]] {
            let odd = try read { $0[member] = value }
            #expect(throws: ProviderMetadataError.unacceptable(member)) { try authorization(odd) }
            #expect(!odd.announcesIssuer && !odd.requiresPushedAuthorization)
        }
    }

    @Test func `RFC 9126 a provider that requires pushed requests announces the endpoint`() throws {
        let required = try read { $0["require_pushed_authorization_requests"] = true }
        #expect(throws: ProviderMetadataError.missing("pushed_authorization_request_endpoint")) {
            try authorization(required, isPushed: required.requiresPushedAuthorization)
        }
        let metadata = try read { $0["pushed_authorization_request_endpoint"] = "https://issuer.example/par" }
        #expect(metadata.pushedAuthorizationEndpoint?.text == "https://issuer.example/par")
        #expect(!metadata.requiresPushedAuthorization)
    }

    @Test(
        .attack(.hostileDiscovery, .wrongMediaType),
        arguments: [
            "", "[]", "null", "<html></html>",
            #"{"issuer":"https://issuer.example","issuer":"https://issuer.example"}"#,
            "\u{FEFF}{}", "{} {}",
        ])
    func `what is not one JSON object is unreadable`(text: String) {
        let error = #expect(throws: ProviderMetadataError.self) {
            try ProviderMetadata(json: Array(text.utf8), issuer: Self.issuer, allowsLoopbackHTTP: false)
        }
        #expect(error?.description.hasPrefix("the discovery document cannot be read") == true)
    }

    @Test(.attack(.hostileDiscovery)) func `a document is at most 256 KB long`() throws {
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
        #expect(error?.description.hasPrefix("the discovery document cannot be read") == true)
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

/// RFC 8705 section 5.
@Suite struct MutualTLSAliasTests {
    private func read(_ aliases: JSONValue?, allowsLoopbackHTTP: Bool = false) throws -> ProviderMetadata {
        var document: JSONObject = [
            "issuer": "https://issuer.example",
            "authorization_endpoint": "https://issuer.example/authorize",
            "token_endpoint": "https://issuer.example/token",
            "jwks_uri": "https://issuer.example/jwks",
            "revocation_endpoint": "https://issuer.example/revoke",
        ]
        document["mtls_endpoint_aliases"] = aliases
        return try ProviderMetadata(
            json: document.serialized(), issuer: "https://issuer.example", allowsLoopbackHTTP: allowsLoopbackHTTP)
    }

    @Test func `a client with a certificate takes the alias, where there is one`() throws {
        let metadata = try read([
            "token_endpoint": "https://mtls.example/token", "userinfo_endpoint": "https://mtls.example/userinfo",
        ])
        #expect(metadata.endpoint(.token, isMutualTLS: true)?.text == "https://mtls.example/token")
        #expect(metadata.endpoint(.token, isMutualTLS: false)?.text == "https://issuer.example/token")
        #expect(metadata.endpoint(.revocation, isMutualTLS: true)?.text == "https://issuer.example/revoke")
        #expect(metadata.endpoint(.userInfo, isMutualTLS: true)?.text == "https://mtls.example/userinfo")
        #expect(metadata.endpoint(.userInfo, isMutualTLS: false) == nil)
        #expect(metadata.endpoint(.pushedAuthorization, isMutualTLS: true) == nil)
    }

    @Test(arguments: MutualTLSEndpoint.allCases)
    func `every endpoint may have an alias`(endpoint: MutualTLSEndpoint) throws {
        let metadata = try read(.object([endpoint.rawValue: "https://mtls.example/x"]))
        #expect(metadata.endpoint(endpoint, isMutualTLS: true)?.text == "https://mtls.example/x")
        #expect(metadata.endpoint(endpoint, isMutualTLS: false)?.text != "https://mtls.example/x")
    }

    @Test(.attack(.hostileDiscovery), arguments: MutualTLSEndpoint.allCases)
    func `an alias that is not an https URL is refused`(endpoint: MutualTLSEndpoint) throws {
        let values: [JSONValue] = ["http://mtls.example/x", "/x", 1, ["https://mtls.example/x"], [:], true]
        for value in values {
            let metadata = try read(.object([endpoint.rawValue: value]))
            #expect(metadata.mutualTLSAliases.isEmpty)
            #expect(throws: ProviderMetadataError.unacceptable(endpoint.alias)) {
                try metadata.required(endpoint, isMutualTLS: true)
            }
            // No other part uses it.
            #expect(try metadata.required(.token, isMutualTLS: false).path == "/token")
            for other in [MutualTLSEndpoint.token, .revocation] where other != endpoint {
                #expect(throws: Never.self) { try metadata.required(other, isMutualTLS: true) }
            }
        }
        for blank: JSONValue in [.null, "", []] {
            let metadata = try read(.object([endpoint.rawValue: blank]))
            #expect(try metadata.required(.token, isMutualTLS: true).path == "/token")
        }
        #expect(throws: Never.self) {
            try read(.object([endpoint.rawValue: "http://127.0.0.1:1/x"]), allowsLoopbackHTTP: true)
        }
    }

    @Test(arguments: ["https://mtls.example", 1, [1], true] as [JSONValue])
    func `aliases are an object`(aliases: JSONValue) throws {
        let metadata = try read(aliases)
        #expect(throws: ProviderMetadataError.unacceptable("mtls_endpoint_aliases")) {
            try metadata.required(.token, isMutualTLS: true)
        }
        #expect(try metadata.required(.token, isMutualTLS: false).path == "/token")
    }

    @Test func `aliases of unknown endpoints are ignored`() throws {
        #expect(try read(["introspection_endpoint": "http://mtls.example/x", "x": 1]).mutualTLSAliases.isEmpty)
        #expect(try read(nil).mutualTLSAliases.isEmpty)
        #expect(try read([:]).mutualTLSAliases.isEmpty)
    }
}

/// A document whose issuer stands for that of many tenants.
@Suite struct IssuerTemplateTests {
    private func read(
        announced: String, asked: String = "https://login.example/organizations/v2.0", isAllowed: Bool = true
    ) throws -> ProviderMetadata {
        let document: JSONObject = [
            "issuer": .string(announced),
            "authorization_endpoint": "https://login.example/authorize",
            "token_endpoint": "https://login.example/token",
            "jwks_uri": "https://login.example/jwks",
        ]
        return try ProviderMetadata(
            json: document.serialized(), issuer: asked, allowsLoopbackHTTP: false, issuerTemplateAllowed: isAllowed)
    }

    @Test(.attack(.foreignTenant)) func `a template of the same origin is the issuer, where it may be`() throws {
        let template = "https://login.example/{tenantid}/v2.0"
        #expect(try read(announced: template).issuer == template)
        #expect(throws: ProviderMetadataError.issuerMismatch) { try read(announced: template, isAllowed: false) }
    }

    @Test(.attack(.foreignTenant)) func `the issuer that was asked is always accepted`() throws {
        let asked = "https://login.example/organizations/v2.0"
        for isAllowed in [true, false] { #expect(try read(announced: asked, isAllowed: isAllowed).issuer == asked) }
    }

    @Test(
        .attack(.foreignTenant),
        arguments: [
            "https://login.other.example/{tenantid}/v2.0", "http://login.example/{tenantid}/v2.0",
            "https://login.example:8443/{tenantid}/v2.0", "https://login.example/{tenant}/v2.0",
            "https://login.example/{TenantID}/v2.0", "https://login.example/common/v2.0",
            "https://login.example/organizations/v2.0/", "https://{tenantid}.login.example/v2.0", "{tenantid}",
            "https://login.example/?{tenantid}", "https://login.example/#{tenantid}",
            "https://login.example@evil.example/{tenantid}", "https://login.example/{tenantid}/v2.0 ", "",
        ])
    func `another origin, and a text that is not a template, is refused`(announced: String) {
        #expect(throws: ProviderMetadataError.issuerMismatch) { try read(announced: announced) }
    }

    @Test(.attack(.foreignTenant)) func `a template that was asked accepts no token without tenants`() throws {
        let template = "https://login.example/{tenantid}/v2.0"
        let metadata = try read(announced: template, asked: template, isAllowed: false)
        #expect(metadata.issuer == template)
        let rule = IssuerRule.rule(forIssuer: metadata.issuer, tenants: [])
        #expect(!rule.accepts(WireText(template), tenant: nil))
        #expect(!rule.accepts(WireText(template), tenant: "{tenantid}"))
        #expect(!rule.accepts("https://login.example/a/v2.0", tenant: "a"))
    }
}
