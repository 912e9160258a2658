// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerHTTP
import OpenIDConnect
import OpenIDRelyingParty
import OpenIDRelyingPartyNIO

extension HostileEntry {
    /// Passes a text to the entry twice: first without counting, so that no initialization is counted.
    ///
    /// - Returns: A value that depends on both runs, so that the compiler cannot remove them.
    func count(_ text: String) throws -> Int {
        if let head = providerHead(text) { return try read(head) + counted { try read(head) } }
        if let document = document(text) {
            return try read(document) + counted { try read(document) }
        }
        let broker = try MicroBroker()
        let request = request(text)
        func respond() throws -> Int { Int(try broker.response(to: request).head.status.code) }
        return try respond() + counted(respond)
    }

    /// The function whose instructions `count-hostile-text` counts, by this name.
    @inline(never)
    private func counted(_ body: () throws -> Int) rethrows -> Int { try body() }

    // MARK: Requests

    private func request(_ text: String) -> BrokerRequest {
        switch self {
        case .pathOfRequest: raw(path: "/__/auth/" + text)
        case .authority: raw(authority: text)
        case .contentType: form("/token", [], field: (.contentType, text))
        case .cookieName: get("/handler", [("state", "s"), ("code", "c")], field: (.cookie, text + "=v"))
        case .cookieValue: get("/handler", [("state", "s"), ("code", "c")], field: (.cookie, "__Host-oidc-x=" + text))
        case .fetchSite: form("/continue", [("login", "x")], field: (.init("Sec-Fetch-Site") ?? .origin, text))
        case .origin: form("/token", [("grant_type", "x")], field: (.origin, text))
        case .basic: form("/token", [], field: (.authorization, "Basic " + text))
        case .authorizeName: get("/authorize", start() + [(text, "x")])
        case .authorizeClientID: get("/authorize", start("client_id", text))
        case .authorizeRedirectURI: get("/authorize", start("redirect_uri", text))
        case .authorizeResponseType: get("/authorize", start("response_type", text))
        case .authorizeResponseMode: get("/authorize", start("response_mode", text))
        case .authorizeProvider: get("/authorize", start("provider", text))
        case .authorizePrompt: get("/authorize", start("prompt", text))
        case .authorizeScope: get("/authorize", start("scope", "openid " + text))
        case .authorizeMethod: get("/authorize", start("code_challenge_method", text))
        case .handlerState: get("/handler", [("state", text), ("code", "c")])
        case .handlerName: get("/handler", [("state", "s"), (text, "c")])
        case .handlerForm: form("/handler", [("fragment", text)])
        case .choose: form("/choose", [("login", text), ("provider", text)])
        case .proceed: form("/continue", [("login", text)])
        case .tokenName: form("/token", [("client_id", "app"), (text, "x")])
        case .tokenClientID: form("/token", [("client_id", text)])
        case .tokenGrantType: form("/token", [("client_id", "app"), ("grant_type", text)])
        case .tokenCode: form("/token", redemption("code", text))
        case .tokenRedirectURI: form("/token", redemption("redirect_uri", text))
        case .credentialProvider: form("/credential", [("client_id", "app"), ("provider", text)])
        case .credentialAlgorithm: form("/credential", app(token(["alg": .string(text)])))
        case .revokeProvider: form("/revoke", app(token(["alg": "ES256"])) + [("provider", text)])
        case .revokeAlgorithm: form("/revoke", app(token(["alg": .string(text)])))
        case .revokeKeyID: form("/revoke", app(token(["alg": "ES256", "kid": .string(text)])))
        case .revokeType: form("/revoke", app(token(["alg": "ES256", "typ": .string(text)])))
        case .revokeHeaderName: form("/revoke", app(token(["alg": "ES256", text: "x"])))
        case .revokeHint: form("/revoke", app(token(["alg": "ES256"])) + [("token_type_hint", text), ("token", "t")])
        default: raw(path: "/__/auth/" + text)
        }
    }

    private func start(_ name: String = "", _ text: String = "") -> [(String, String)] {
        let honest = [
            ("client_id", "app"), ("redirect_uri", MicroBroker.redirectURI), ("response_type", "code"),
            ("scope", "openid"), ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            ("code_challenge_method", "S256"),
        ]
        return name.isEmpty ? honest : honest.filter { $0.0 != name } + [(name, text)]
    }

    private func redemption(_ name: String, _ text: String) -> [(String, String)] {
        let honest = [
            ("client_id", "app"), ("grant_type", "authorization_code"), ("code", String(repeating: "A", count: 43)),
            ("redirect_uri", MicroBroker.redirectURI), ("code_verifier", String(repeating: "v", count: 43)),
        ]
        return honest.filter { $0.0 != name } + [(name, text)]
    }

    private func app(_ token: String) -> [(String, String)] { [("client_id", "app"), ("id_token", token)] }

    private func token(_ header: JSONObject) -> String { Base64URL.encode(header.serialized()) + ".e30.AAAA" }

    private func raw(path: String = "/__/auth/jwks", authority: String = "127.0.0.1:8080") -> BrokerRequest {
        BrokerRequest(
            method: .get, authority: authority, path: path, headerFields: [:], validatesAuthority: true)
    }

    private func get(
        _ path: String, _ parameters: [(String, String)], field: (HTTPField.Name, String)? = nil
    ) -> BrokerRequest {
        request(.get, "/__/auth" + path + "?" + FormURLEncoding.encode(parameters), ByteBuffer(), field)
    }

    private func form(
        _ path: String, _ parameters: [(String, String)], field: (HTTPField.Name, String)? = nil
    ) -> BrokerRequest {
        request(.post, "/__/auth" + path, ByteBuffer(string: FormURLEncoding.encode(parameters)), field)
    }

    private func request(
        _ method: HTTPRequest.Method, _ path: String, _ body: ByteBuffer, _ field: (HTTPField.Name, String)?
    ) -> BrokerRequest {
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let (name, value) = field { fields[name] = value }
        return BrokerRequest(
            method: method, authority: "127.0.0.1:8080", path: path, headerFields: fields, body: body)
    }

    // MARK: Heads of responses

    private func providerHead(_ text: String) -> HTTPResponseHead? {
        let name: String? =
            switch self {
            case .providerEncoding: "content-encoding"
            case .providerType: "content-type"
            case .providerFreshness: "cache-control"
            case .providerPause: "retry-after"
            case .providerIdleness: "keep-alive"
            case .providerLength: "content-length"
            default: nil
            }
        return name.map { HTTPResponseHead(version: .http1_1, status: .serviceUnavailable, headers: [$0: text]) }
    }

    private func read(_ head: HTTPResponseHead) throws -> Int {
        guard let url = AbsoluteURL("https://accounts.example.com/keys") else { return 0 }
        let request = ProviderRequest(
            url: url, maximumResponseBytes: 1, deadline: .distantFuture,
            trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
        guard let response = try? ProviderResponse(head, to: request) else { return 1 }
        var idleness = IdleLifetime()
        idleness.answered(keepAlive: head.headers.first(name: "keep-alive"))
        return MediaType.essence(of: response.contentType).utf8.count
            + Int(FreshnessLifetime(cacheControl: response.cacheControl).seconds)
            + (RetryAfter(response.retryAfter, now: 1_800_000_000) == nil ? 1 : 2)
            + (idleness.limit(at: .uptimeNanoseconds(0)) == IdleLifetime.longest ? 1 : 2)
    }

    // MARK: Documents

    private func document(_ text: String) -> [UInt8]? {
        switch self {
        case .metadataIssuer: metadata("issuer", .string(text))
        case .metadataAlgorithms: metadata("id_token_signing_alg_values_supported", ["ES256", .string(text)])
        case .metadataMethods: metadata("token_endpoint_auth_methods_supported", [.string(text)])
        case .metadataEndpoint: metadata("jwks_uri", .string(ProviderStandIn.issuer + "/" + text))
        case .metadataName: metadata(text, "x")
        case .keyType: keySet(["kty": .string(text)])
        case .keyCurve: keySet(["kty": "EC", "crv": .string(text)])
        case .keyAlgorithm: keySet(["kty": "EC", "crv": "P-256", "x": "", "y": "", "alg": .string(text)])
        case .keyUse: keySet(["kty": "EC", "use": .string(text)])
        case .keyOperations: keySet(["kty": "EC", "key_ops": [.string(text)]])
        case .keyID: keySet(["kty": "EC", "kid": .string(text)])
        case .tokenResponseType: (["access_token": "a", "token_type": .string(text)] as JSONObject).serialized()
        case .tokenResponseScope: (["id_token": "a", "scope": .string(text)] as JSONObject).serialized()
        case .tokenResponseError: (["error": .string(text)] as JSONObject).serialized()
        default: nil
        }
    }

    private func metadata(_ name: String, _ value: JSONValue) -> [UInt8] {
        var document: JSONObject = [
            "issuer": .string(ProviderStandIn.issuer),
            "authorization_endpoint": .string(ProviderStandIn.issuer + "/authorize"),
            "token_endpoint": .string(ProviderStandIn.issuer + "/token"),
            "jwks_uri": .string(ProviderStandIn.issuer + "/jwks"),
        ]
        document[name] = value
        return document.serialized()
    }

    private func keySet(_ key: JSONObject) -> [UInt8] {
        (["keys": [.object(key)]] as JSONObject).serialized()
    }

    private func read(_ document: [UInt8]) throws -> Int {
        switch self {
        case .metadataIssuer, .metadataAlgorithms, .metadataMethods, .metadataEndpoint, .metadataName:
            let metadata = try? ProviderMetadata(
                json: document, issuer: ProviderStandIn.issuer, allowsLoopbackHTTP: false)
            return metadata == nil ? 1 : 2
        case .tokenResponseType, .tokenResponseScope, .tokenResponseError:
            return (try? TokenResponse(status: 200, json: document)) == nil ? 1 : 2
        default:
            return try KeySet(json: document).skipped.count
        }
    }
}
