// SPDX-License-Identifier: Apache-2.0

/// Whom hostile input is for: the broker as `Benchmarks/targets/ours.json` configures it, and requests to it, HTTP/1.1.
package struct HostileTarget: Sendable, Hashable {
    /// The Host field.
    package let host: String
    /// The longest body that the broker reads, bytes.
    package static let longestBody = 65_536
    /// The longest field of a head that the broker reads, bytes.
    package static let longestField = 16_384
    /// The longest head that the broker reads, bytes.
    package static let longestHead = 32_768

    /// The app that the target file configures.
    static let clientID = "bench"
    /// Where the broker's endpoints are.
    static let prefix = "/__/auth/"

    /// A target of this machine.
    package init(port: Int) {
        host = "127.0.0.1:\(port)"
    }

    /// What begins a login.
    static let start =
        prefix + "authorize?client_id=\(clientID)&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback"
        + "&response_type=code&scope=openid&state=s&nonce=n&provider=p0&code_challenge_method=S256"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    /// A request without a body.
    func get(_ target: [UInt8], fields: [(name: String, value: [UInt8])] = [], host: [UInt8]? = nil) -> [UInt8] {
        var bytes = Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nhost: ".utf8) + (host ?? Array(self.host.utf8))
        for field in fields { bytes += Array("\r\n\(field.name): ".utf8) + field.value }
        return bytes + Array("\r\n\r\n".utf8)
    }

    /// The head of a POST of a form.
    func formHead(_ path: String, length: Int, authorization: [UInt8]? = nil) -> [UInt8] {
        var bytes = Array("POST \(Self.prefix)\(path) HTTP/1.1\r\nhost: \(host)\r\n".utf8)
        if let authorization { bytes += Array("authorization: Basic ".utf8) + authorization + Array("\r\n".utf8) }
        return bytes
            + Array("content-type: application/x-www-form-urlencoded\r\ncontent-length: \(length)\r\n\r\n".utf8)
    }

    /// A POST of a form.
    func form(_ path: String, _ body: [UInt8]) -> [UInt8] { formHead(path, length: body.count) + body }
}
