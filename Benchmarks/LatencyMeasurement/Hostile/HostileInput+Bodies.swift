// SPDX-License-Identifier: Apache-2.0

import JOSE

extension HostileInput {
    /// A form and its endpoint.
    typealias Body = (path: String, bytes: [UInt8])

    /// A form with a token whose header is as long as the longest body allows; `nil` for other kinds.
    var tokenBody: Body? {
        let form = "client_id=\(HostileTarget.clientID)&id_token="
        let tail = ".e30.AAAA"
        let room = (HostileTarget.longestBody - form.utf8.count - tail.utf8.count) / 4 * 3
        guard let header = tokenHeader(byteCount: room) else { return nil }
        return ("revoke", Array((form + Base64URL.encode(header) + tail).utf8))
    }

    private func tokenHeader(byteCount: Int) -> [UInt8]? {
        switch self {
        case .tokenMarks: Self.filled("{\"alg\":\"", "\"}", byteCount) { CombiningMarks.utf8(byteCount: $0) }
        case .tokenNames:
            Self.filled("{\"alg\":\"ES256\",\"", "\":1}", byteCount) { CombiningMarks.utf8(byteCount: $0) }
        case .tokenNesting: Self.filled("{\"alg\":\"ES256\",\"a\":", "", byteCount, unit: "{\"a\":")
        case .tokenNumber: Self.filled("{\"alg\":\"ES256\",\"a\":", "}", byteCount, unit: "9")
        case .tokenNumbers: Self.filled("{\"alg\":\"ES256\",\"a\":[", "0]}", byteCount, unit: "1.5e300,")
        default: nil
        }
    }

    /// A form as long as the longest body; `nil` for other kinds.
    var formBody: Body? {
        let length = HostileTarget.longestBody
        let marks: (Int) -> [UInt8] = { CombiningMarks.utf8(byteCount: $0) }
        return switch self {
        case .clientMarks:
            ("token", Self.filled("grant_type=authorization_code&code=c&client_id=", "", length, marks))
        case .grantMarks:
            (
                "token",
                Self.filled("client_id=\(HostileTarget.clientID)&grant_type=", "", length) {
                    CombiningMarks.percentEncoded(byteCount: $0)
                }
            )
        case .providerMarks:
            (
                "credential",
                Self.filled("client_id=\(HostileTarget.clientID)&id_token=e30.e30.AAAA&provider=", "", length, marks)
            )
        case .nameMarks: ("revoke", Self.filled("client_id=\(HostileTarget.clientID)&", "=1", length, marks))
        case .parameters:
            ("token", Array((10_000..<17_200).map { "p\($0)=1" }.joined(separator: "&").utf8))
        case .sameParameter: ("token", Self.filled("client_id=\(HostileTarget.clientID)", "", length, unit: "&a=b"))
        default: nil
        }
    }

    /// Returns a text of at most the given number of bytes, whose middle fills the remaining space.
    private static func filled(
        _ begin: String, _ end: String, _ byteCount: Int, _ middle: (Int) -> [UInt8]
    ) -> [UInt8] {
        Array(begin.utf8) + middle(max(byteCount - begin.utf8.count - end.utf8.count, 0)) + Array(end.utf8)
    }

    private static func filled(_ begin: String, _ end: String, _ byteCount: Int, unit: String) -> [UInt8] {
        filled(begin, end, byteCount) { room in
            Array(String(repeating: unit, count: room / unit.utf8.count).utf8)
        }
    }
}
