// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import OIDCBroker
    import OpenIDRelyingParty
    import Testing

    @testable import oidc_broker
    @testable import OIDCBrokerConfiguration

    /// What `explain` makes of its arguments.
    struct ExplainedInputTests {
        @Test(
            arguments: [
                ("0", 0), ("1800000000", 1_800_000_000), ("253402300799", 253_402_300_799), ("253402300800", nil),
                ("-1", nil), ("", nil), ("soon", nil), ("9223372036854775807", nil), ("9223372036854775808", nil),
                ("2027-01-15T08:00:00Z", 1_800_000_000), ("2027-01-15T09:00:00+01:00", 1_800_000_000),
                ("1969-12-31T23:59:59Z", nil), (String(repeating: "9", count: 400), nil),
            ] as [(String, Int64?)])
        func `a time is seconds or a date with a zone, within bounds`(text: String, seconds: Int64?) {
            #expect(ExplainedTime.seconds(text) == seconds)
        }

        @Test func `the provider is the named, the only, or that of the token's issuer`() throws {
            let providers = ["one", "two"].map {
                BrokerConfiguration.Provider(
                    name: $0, issuer: "https://\($0).example", clientID: "broker", clientSecret: nil)
            }
            let payload: JSONObject = ["iss": "https://two.example"]
            let token = "e30.\(Base64URL.encode(payload.serialized())).eA"
            func chosen(_ name: String?, _ token: String, _ count: Int = 2) -> String? {
                ExplainedProvider.choose(name, for: token, among: Array(providers.prefix(count)))?.name
            }
            #expect(chosen("one", token) == "one")
            #expect(chosen("oidc.two", "") == "two")
            #expect(chosen("three", token) == nil)
            #expect(chosen(nil, token) == "two")
            #expect(chosen(nil, token, 1) == "one")
            #expect(chosen(nil, token, 0) == nil)
            for other in ["", "a.b", "e30.e30.eA", "e30.!.eA"] { #expect(chosen(nil, other) == nil) }
        }

        @Test func `JSON for a terminal is the same JSON, in printable ASCII`() throws {
            let object: JSONObject = [
                "a\u{7F}\u{1B}": "é\u{202E}\u{1F600}\"\\\n", "n": 7, "list": [true, .null, ["x": "\u{FFFF}"]],
            ]
            let text = TerminalJSON.text(object)
            #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
            #expect(try JSONParser.object(Array(text.utf8), limits: JSONLimits(maximumBytes: 4096)) == object)
            #expect(TerminalJSON.text([:]) == "{}")
        }
    }
#endif
