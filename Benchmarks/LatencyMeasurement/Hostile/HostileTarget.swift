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
    /// The prefix of the broker's endpoints.
    static let prefix = "/__/auth/"

    /// Creates a target on this machine.
    package init(port: Int, addresses: ClientAddresses = .ipv4) {
        host = "\(addresses.targetHost):\(port)"
    }

    /// The request target that begins a login.
    static let start =
        prefix + "authorize?client_id=\(clientID)&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback"
        + "&response_type=code&scope=openid&state=s&nonce=n&provider=p0&code_challenge_method=S256"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

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

    /// Returns a POST request with a form.
    func form(_ path: String, _ body: [UInt8]) -> [UInt8] { formHead(path, length: body.count) + body }
}
