// SPDX-License-Identifier: Apache-2.0

import JOSE

extension HostileInput {
    /// A request whose head is as long as a field or a head may be; `nil` for other kinds.
    func head(_ target: HostileTarget) -> [UInt8]? {
        let start = Array(HostileTarget.start.utf8)
        // Leaves space for the rest of the field and of the head.
        let long = HostileTarget.longestField - 1024
        switch self {
        case .queryMarks:
            let begin = Array("\(HostileTarget.prefix)authorize?response_type=code&client_id=".utf8)
            return target.get(begin + CombiningMarks.percentEncoded(byteCount: long))
        case .pathMarks:
            return target.get(Array(HostileTarget.prefix.utf8) + CombiningMarks.utf8(byteCount: long))
        case .credentialMarks:
            let pair = CombiningMarks.utf8(byteCount: long / 4 * 3 - 8) + Array(":secret".utf8)
            let body = Array("grant_type=authorization_code&code=c".utf8)
            let authorization = (name: "authorization", value: Array("Basic ".utf8) + Self.base64(pair))
            return target.formHead("token", length: body.count, fields: [authorization]) + body
        case .fieldMarks:
            let marks = CombiningMarks.utf8(byteCount: long / 4)
            return target.get(
                start,
                fields: [
                    ("sec-fetch-site", marks), ("sec-fetch-mode", marks), ("accept-language", marks),
                    ("content-type", marks),
                ])
        case .cookies:
            let pairs = (1_000_000..<1_000_340).map { "__Host-oidc-A\($0)=\($0)0123456789ABCDEF" }
            let field = Array(pairs.joined(separator: "; ").utf8)
            return target.get(
                Array("\(HostileTarget.prefix)handler?state=s&code=c".utf8), fields: [("cookie", field)])
        case .fields:
            let value = Array(String(repeating: "v", count: 280).utf8)
            return target.get(start, fields: (100..<196).map { (name: "x-\($0)", value: value) })
        default:
            return nil
        }
    }

    /// Logins that are begun and end with an invalid callback; `nil` for other kinds.
    func loginSteps(_ target: HostileTarget) -> [HostileScript.Step]? {
        let query: String
        switch self {
        case .junkCodes: query = "code=junk"
        case .errorCallbacks: query = "error=access_denied&error_description=x"
        case .foreignIssuers: query = "code=junk&iss=https%3A%2F%2Fother.example"
        case .abandonedStarts:
            let start = target.get(Array(HostileTarget.start.utf8))
            return (0..<16).flatMap { _ in [HostileScript.Step.send(start), .response] }
        default: return nil
        }
        let start = target.get(Array(HostileTarget.start.utf8))
        return (0..<8).flatMap { _ in [HostileScript.Step.send(start), .response, .callback(query), .response] }
    }

    /// Steps that take longer than the broker waits, and a connection for nothing.
    func slowSteps(_ target: HostileTarget) -> [HostileScript.Step] {
        switch self {
        case .slowHead:
            return [.drip(Array("GET / HTTP/1.1".utf8), unit: 1, milliseconds: 1000), .response]
        case .slowBody:
            return [
                .send(target.formHead("token", length: 1000)),
                .drip(Array("grant_type=aut".utf8), unit: 1, milliseconds: 1000), .response,
            ]
        case .upgrades:
            let request = target.get(
                Array("/elsewhere".utf8),
                fields: [("connection", Array("upgrade".utf8)), ("upgrade", Array("websocket".utf8))])
            return [
                .send(request), .drip(Array(repeating: 0x61, count: 4 << 20), unit: 1 << 18, milliseconds: 10),
                .pause(milliseconds: 12_000, reads: true),
            ]
        case .unreadResponses:
            // A page is longer than a redirect.
            let page = target.get(Array("\(HostileTarget.prefix)handler".utf8))
            let many = Array(repeatElement(page, count: 2000).joined())
            return [.send(many), .pause(milliseconds: 12_000, reads: false)]
        case .idleConnections:
            let page = target.get(Array("\(HostileTarget.prefix)handler".utf8))
            return [.send(page), .response, .pause(milliseconds: 12_000, reads: true)]
        case .handshakes:
            return [.pause(milliseconds: 0, reads: true)]
        default:
            return [.pause(milliseconds: 12_000, reads: true)]
        }
    }

    /// Base64 with padding (RFC 4648 section 4), as RFC 7617 requires.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var text = Base64URL.encode(bytes).utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return text
    }
}
