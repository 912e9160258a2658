// SPDX-License-Identifier: Apache-2.0

import SignInWithApple
import Testing
import TestingSupport

/// The `user` field, which any client may have written.
@Suite struct AppleUserTests {
    private func json(_ first: String, _ last: String) -> String {
        #"{"name":{"firstName":"\#(first)","lastName":"\#(last)"},"email":"ada@example.com"}"#
    }

    @Test(.attack(.unsignedAppleUser)) func `the name of a first consent`() {
        let user = AppleUser(json: json("Ada", "Example"))
        #expect(user?.givenName == "Ada")
        #expect(user?.familyName == "Example")
        #expect(user?.displayName == "Ada Example")
    }

    @Test(
        .attack(.unsignedAppleUser),
        arguments: [
            #"{"name":{"firstName":"Ada"}}"#: "Ada", #"{"name":{"lastName":"Example"}}"#: "Example",
            #"{"name":{}}"#: nil, #"{}"#: nil, #"{"email":"ada@example.com"}"#: nil, #"{"name":"Ada"}"#: nil,
            #"{"name":["Ada"]}"#: nil, #"{"name":null}"#: nil,
            #"{"name":{"firstName":7,"lastName":"Example"}}"#: "Example",
            #"{"name":{"firstName":["Ada"],"lastName":{"a":1}}}"#: nil, #"{"name":{"firstName":null}}"#: nil,
            #"{"name":{"firstName":"","lastName":"  "}}"#: nil, #"{"firstName":"Ada"}"#: nil,
            #"{"name":{"firstName":"  Ada  ","lastName":"\tExample\n"}}"#: "Ada Example",
        ] as [String: String?])
    func `what is of another kind counts as absent`(json: String, displayName: String?) throws {
        let user = try #require(AppleUser(json: json))
        #expect(user.displayName == displayName)
    }

    @Test(
        .attack(.unsignedAppleUser),
        arguments: [
            "", " ", "null", "7", "\"Ada\"", "[]", "{", #"{"name":"#, "{name:1}", "Ada", "{}{}", "\u{FEFF}{}",
            #"{"name":{},"name":{}}"#, #"{"name":{"firstName":"\ud800"}}"#,
        ])
    func `a text that is not a JSON object has no name`(json: String) {
        #expect(AppleUser(json: json) == nil)
    }

    @Test(.attack(.unsignedAppleUser)) func `64 KB are read, one byte more is not`() throws {
        let frame = json("", "").utf8.count
        let fits = json(String(repeating: "x", count: AppleUser.longestText - frame), "")
        #expect(fits.utf8.count == 65_536)
        let user = try #require(AppleUser(json: fits))
        #expect(user.givenName == String(repeating: "x", count: 255))
        #expect(AppleUser(json: json(String(repeating: "x", count: AppleUser.longestText - frame + 1), "")) == nil)
        #expect(AppleUser(json: json(String(repeating: "x", count: 1 << 20), "")) == nil)
    }

    @Test(.attack(.unsignedAppleUser)) func `deep nesting is refused, not followed`() {
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(AppleUser(json: #"{"name":\#(deep)}"#) == nil)
    }

    @Test(.attack(.unsignedAppleUser)) func `script is text like any other`() throws {
        let user = try #require(AppleUser(json: json("<script>alert(1)</script>", "x")))
        #expect(user.displayName == "<script>alert(1)</script> x")
    }

    @Test(
        .attack(.unsignedAppleUser),
        arguments: [
            ("A\\u0000d\\u0007a", "Ada"), ("A\\u007fda\\u0085", "Ada"), ("\\u202eadA\\u202c", "adA"),
            ("A\\u2028da\\u2029", "Ada"), ("\\u2066Ada\\u2069", "Ada"), ("\\r\\nAda", "Ada"),
            ("\\u200eAda\\u200f", "Ada"), ("A\\u061cda", "Ada"),
            // Joiners belong to the spelling of names, and emoji are names too.
            ("\\u0645\\u200c\\u0646", "\u{645}\u{200C}\u{646}"), ("Ad\\u00e4", "Ad\u{E4}"),
            ("\\ud83d\\ude00", "\u{1F600}"),
        ])
    func `control characters and marks of direction are left out`(escaped: String, name: String) throws {
        let user = try #require(AppleUser(json: json(escaped, "")))
        let scalars = user.givenName.map { Array($0.unicodeScalars) }
        #expect(scalars == Array(name.unicodeScalars))
    }

    @Test(.attack(.unsignedAppleUser)) func `each part is cut at 255 scalars`() throws {
        let user = try #require(
            AppleUser(
                json: json(String(repeating: "\u{E9}", count: 300), "e" + String(repeating: "\u{301}", count: 5000))))
        #expect(user.givenName?.unicodeScalars.count == 255)
        #expect(user.familyName?.unicodeScalars.count == 255)
        #expect((user.displayName?.unicodeScalars.count ?? 0) == 511)
    }

    @Test(.attack(.unsignedAppleUser)) func `the email in it is not kept anywhere`() throws {
        let user = try #require(
            AppleUser(json: #"{"name":{"firstName":"Ada"},"email":"victim@example.com","emailVerified":true}"#))
        var text = "\(user)"
        dump(user, to: &text)
        #expect(!text.contains("victim"))
        #expect(user == AppleUser(json: #"{"name":{"firstName":"Ada"},"email":"somebody@else.example"}"#))
    }
}
