// SPDX-License-Identifier: Apache-2.0

/// The target of hostile input: the broker as configured by `Benchmarks/targets/ours.json`, with HTTP/1.1 requests to
/// it.
package struct HostileTarget: Sendable, Hashable {
    /// The value of the Host field.
    package let host: String
    /// The maximum length of a body, in bytes.
    package static let longestBody = 65_536
    /// The maximum length of a header field, in bytes.
    package static let longestField = 16_384
    /// The maximum length of a request head, in bytes.
    package static let longestHead = 32_768

    /// The client ID of the app in the target file.
    static let clientID = "bench"
    /// The client ID of the app whose users get accounts.
    static let accountsClientID = "people"
    /// The API key of the web app of an SDK.
    static let pageKey = "bench-page-key-0123456789"
    /// The ID of the provider as SDKs know it.
    static let providerID = "oidc.p0"
    /// The prefix of the broker's endpoints.
    static let prefix = "/__/auth/"

    /// Creates a target on this machine.
    package init(port: Int, addresses: ClientAddresses = .ipv4) {
        host = "\(addresses.targetHost):\(port)"
    }

    /// The request target that begins a login.
    static let start = beginning(of: clientID, redirectURI: "https://app.example.com/callback")

    /// Returns the request target that begins a login of an app.
    static func beginning(of clientID: String, redirectURI: String) -> String {
        prefix + "authorize?client_id=\(clientID)&redirect_uri=\(URLText.percentEncoded(redirectURI))"
            + "&response_type=code&scope=openid&state=s&nonce=n&provider=p0&code_challenge_method=S256"
            + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    }

    /// Returns the request target with which an SDK begins a login.
    ///
    /// - Parameter authType: What the login is for, and where its result goes.
    static func sdkStart(_ authType: String) -> String {
        prefix + "handler?apiKey=\(pageKey)&authType=\(authType)&providerId=\(providerID)"
            + "&redirectUrl=https%3A%2F%2Fapp.example.com%2F&v=13.2.0&eventId=1"
    }

    /// Returns a request without a body.
    func get(_ target: [UInt8], fields: [(name: String, value: [UInt8])] = [], host: [UInt8]? = nil) -> [UInt8] {
        var bytes = Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nhost: ".utf8) + (host ?? Array(self.host.utf8))
        for field in fields { bytes += Array("\r\n\(field.name): ".utf8) + field.value }
        return bytes + Array("\r\n\r\n".utf8)
    }

    /// Returns the head of a POST request with a form.
    func formHead(_ path: String, length: Int, fields: [(name: String, value: [UInt8])] = []) -> [UInt8] {
        var bytes = Array("POST \(Self.prefix)\(path) HTTP/1.1\r\nhost: \(host)\r\n".utf8)
        for field in fields { bytes += Array("\(field.name): ".utf8) + field.value + Array("\r\n".utf8) }
        return bytes
            + Array("content-type: application/x-www-form-urlencoded\r\ncontent-length: \(length)\r\n\r\n".utf8)
    }

    /// Returns a request of an SDK.
    func request(_ request: AccountWire.Request) -> [UInt8] {
        let body = Array(request.body.utf8)
        let head =
            "POST \(request.target) HTTP/1.1\r\nhost: \(host)\r\ncontent-type: application/json\r\n"
            + "content-length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    /// Returns a POST request with a form.
    func form(_ path: String, _ body: [UInt8]) -> [UInt8] { formHead(path, length: body.count) + body }
}
