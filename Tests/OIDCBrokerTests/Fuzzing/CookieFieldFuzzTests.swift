// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import HTTPTypes
import JOSE
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerState

/// Cookie fields of any kind.
@Suite(.onSockets)
struct CookieFieldFuzzTests {
    private static let loginID = [UInt8](0..<16)
    private static let binding = [UInt8](repeating: 5, count: 32)

    @Test func `are read within bounds; a login's value is found only where it stands, once`() throws {
        let cookie = LoginCookie(publicURL: try #require(PublicURL("https://auth.example.com")))
        let name = cookie.name(loginID: Self.loginID)
        let own = "\(name)=\(Base64URL.encode(Self.binding))"
        let others = (20..<50).map { cookie.name(loginID: [UInt8](repeating: $0, count: 16)) + "=v" }
        let corpus = [
            own, "a=b; \(own); c=d", "\(own); \(own)", others.joined(separator: "; "),
            "\(others.joined(separator: ";")); \(own)", "a=\"b; c\"; \(own)", "\(name)=; \(own)",
        ]
        let found = try FoundInputs.bytes(for: "cookie")
        let known = corpus.map { Array($0.utf8) } + found
        var mutator = Mutator(
            corpus: known,
            dictionary: [name, "__Host-oidc-", "=", ";", "; ", ",", "\"", "\t", "\0", "\u{e4}", own].map {
                Array($0.utf8)
            },
            separators: [UInt8(ascii: ";")], longest: 8192, seed: 0x636F_6F6B)
        var verdicts: [String: Int] = [:]
        for round in 0..<8000 {
            let input = round < known.count ? known[round] : mutator.next()
            let text = String(decoding: input, as: UTF8.self)
            let cookies = Cookies([.cookie: text])
            var violation = cookies.all.count <= Cookies.maximumCount ? nil : "more cookies than are read"
            switch cookie.binding(loginID: Self.loginID, in: cookies) {
            case .found(let value):
                verdicts["found", default: 0] += 1
                let stands = text.contains("\(name)=\(Base64URL.encode(value))")
                if value.count != 32 || !stands || cookies.values(name).count != 1 {
                    violation = "a value that stands nowhere, or twice"
                }
            case .absent: verdicts["absent", default: 0] += 1
            case .duplicate:
                verdicts["duplicate", default: 0] += 1
                if text.ranges(of: name).count < 2 { violation = "duplicate, though it stands there once" }
            }
            for field in cookie.evictions(in: cookies) {
                let isOurs = field.value.hasPrefix("__Host-oidc-") && field.value.contains("=; Path=/; Max-Age=0")
                if !isOurs || !text.contains(field.value.prefix { $0 != "=" }) {
                    violation = "a cookie of others deleted"
                }
            }
            if let violation { Issue.record("round \(round), \(violation): \(Base64.encode(input))") }
        }
        for verdict in ["found", "absent", "duplicate"] { #expect(verdicts[verdict, default: 0] > 100, "\(verdict)") }
    }
}
