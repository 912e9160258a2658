// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import IdentityToolkit

/// How `postBody` is read, from any writer.
struct PostBodyTests {
    private func values(_ text: String) throws -> [String: String] {
        let body = try PostBody(WireText(text))
        var values: [String: String] = [:]
        for key in PostBody.Key.allCases { values[key.rawValue] = body[key]?.makeString() }
        return values
    }

    private func code(_ text: String) throws -> ToolkitError.Code? { try WireSupport.code { try values(text) } }

    @Test(
        arguments: [
            // JavaScript encodes everything that must be, and begins with a separator.
            (
                "&id_token=eyJh.eyJz.c2ln&providerId=apple.com&nonce=a%26b%3Dc%25d%2Be%20f%22%7B",
                ["id_token": "eyJh.eyJz.c2ln", "providerId": "apple.com", "nonce": #"a&b=c%d+e f"{"#]
            ),
            ("id_token=h.p.s&access_token=%D7%A9%D7%9C", ["id_token": "h.p.s", "access_token": "\u{5E9}\u{5DC}"]),
            (
                "providerId=oidc.acme&oauth_token_secret=a%2fb",
                ["providerId": "oidc.acme", "oauth_token_secret": "a/b"]
            ),
            // It writes what is not there as an empty value, or not at all.
            ("&id_token=t&nonce=&providerId=p", ["id_token": "t", "providerId": "p"]),
            // C++ encodes nothing.
            (
                "id_token=h.p.s&access_token=ya29.A/b+c==&providerId=google.com",
                ["id_token": "h.p.s", "access_token": "ya29.A/b+c==", "providerId": "google.com"]
            ),
            // Apple's systems encode nothing either, in this order.
            (
                "providerId=oidc.acme&id_token=h.p.s&nonce=n0nce&access_token=a&oauth_token_secret=o&identifier=i@x",
                [
                    "providerId": "oidc.acme", "id_token": "h.p.s", "nonce": "n0nce", "access_token": "a",
                    "oauth_token_secret": "o", "identifier": "i@x",
                ]
            ),
            ("code=c0de&pendingToken=p3nding", ["code": "c0de", "pendingToken": "p3nding"]),
        ] as [(String, [String: String])])
    func `what each SDK writes`(text: String, expected: [String: String]) throws {
        #expect(try values(text) == expected)
    }

    @Test(arguments: [
        #"{"name":{"firstName":"Ada","lastName":"Lovelace"}}"#,
        #"{"name":{"firstName":"Ada & Bob = 100% + %41%zz","lastName":"id_token=evil&nonce=evil&user={}"}}"#,
        #"{"name":{"firstName":"\"Ada\" \\ 'x'","lastName":"<script>"}}"#,
        "{\"name\":{\"firstName\":\"\u{5E2}\u{5D3}\u{5D4}\u{200F}\",\"lastName\":\"Zo\u{EB} \u{645}\u{64E}\"}}",
        "{\"name\":{\"firstName\":\"\u{1F469}\u{200D}\u{1F4BB}\",\"lastName\":\"\u{5C0F}\u{6797}\"}}",
        "{", "{}", "{&=%",
    ])
    func `a name of Apple's systems is taken to the end, whatever is in it`(user: String) throws {
        let read = try values("providerId=apple.com&id_token=h.p.s&nonce=raw%41&user=\(user)")
        // The brace says that nothing was encoded, so the nonce is as it is.
        #expect(read == ["providerId": "apple.com", "id_token": "h.p.s", "nonce": "raw%41", "user": user])
        #expect(try values("user=\(user)&id_token=t") == ["user": user + "&id_token=t"])
    }

    @Test(
        arguments: [
            ("user=%7B%22name%22%3A%7B%22firstName%22%3A%22A%26B%22%7D%7D&nonce=n", #"{"name":{"firstName":"A&B"}}"#),
            ("user=plain&nonce=n", "plain"),
            ("nonce=n&user=", nil),
            ("nonce=n&user", nil),
        ] as [(String, String?)])
    func `another name ends where its pair does`(text: String, user: String?) throws {
        let read = try values(text)
        #expect(read["user"] == user)
        #expect(read["nonce"] == "n")
    }

    @Test(
        arguments: [
            ("nonce=a+b", "a+b"),
            ("nonce=a%2Bb+c%20d", "a+b+c d"),
            ("nonce=a%2541", "a%41"),
            ("nonce=%c3%BC", "\u{FC}"),
            ("nonce=a%00b", "a\0b"),
            ("nonce=a=b==", "a=b=="),
            // A percent sign that begins no escape, in any value: nothing is encoded.
            ("nonce=50%", "50%"),
            ("nonce=%4", "%4"),
            ("nonce=%4g", "%4g"),
            ("nonce=%%41", "%%41"),
            ("nonce=%41&x=%", "%41"),
            ("nonce=%4&x=1", "%4"),
            // Nor is it with a byte that no encoding leaves.
            ("nonce=%41 ", "%41 "),
            ("nonce=%41\0", "%41\0"),
            ("nonce=%41|", "%41|"),
            ("nonce=\u{FC}%41", "\u{FC}%41"),
            ("nonce=%41&x=<", "%41"),
            ("nonce=%41&identifier=\"", "%41"),
            // What a URL may hold says nothing.
            ("nonce=%41&x=:/?#[]@!$'()*,;=-._~", "A"),
        ] as [(String, String)])
    func `a plus sign is one, and a body is encoded as a whole or not at all`(text: String, nonce: String) throws {
        let read = try values(text)["nonce"]
        #expect(read.map { Array($0.utf8) } == Array(nonce.utf8))
    }

    @Test(arguments: [
        "", "&", "&&&", "=", "=t", "&=&=", "%", "x", "x=1&x=2", "ID_TOKEN=t", "id%5Ftoken=t", " id_token=t", "id_token",
        "id_token=", "idToken=t", "provider_id=t", "nonce\0=t", "\u{212A}=t", "oauth_token_secret_and_what_follows=t",
    ])
    func `what is not known, or has no value, is ignored`(text: String) throws {
        #expect(try values(text).isEmpty)
    }

    @Test(arguments: PostBody.Key.allCases)
    func `a key may be there once`(key: PostBody.Key) throws {
        let name = key.rawValue
        #expect(try values("x=1&\(name)=a&x=2") == [name: "a"])
        for text in ["\(name)=a&\(name)=a", "\(name)=&\(name)=a", "\(name)&x&\(name)", "&\(name)=a&\(name)={}"] {
            #expect(try code(text) == .invalidArgument, "\(text)")
        }
    }

    @Test(arguments: ["nonce=%FF", "nonce=%C3", "nonce=%C0%80", "nonce=%ED%A0%80", "id_token=t&nonce=%C3%28"])
    func `an encoding of what is not UTF-8 is refused`(text: String) throws {
        #expect(try code(text) == .invalidArgument)
    }

    @Test func `what is not read is not decoded`() throws {
        #expect(try values("x=%FF&nonce=%41") == ["nonce": "A"])
    }

    @Test func `64 KB and a hundred values are read, one more is not`() throws {
        let value = String(repeating: "x", count: PostBody.maximumBytes - "nonce=".utf8.count)
        #expect(try values("nonce=\(value)") == ["nonce": value])
        #expect(try code("nonce=\(value)x") == .invalidArgument)
        let hundred = (1...99).map { "p\($0)=1" }.joined(separator: "&") + "&nonce=n"
        #expect(try values(hundred) == ["nonce": "n"])
        #expect(try values("&&" + hundred + "&&") == ["nonce": "n"])
        #expect(try code(hundred + "&x") == .invalidArgument)
        // What belongs to a name is no value.
        let user = "{" + String(repeating: "&x", count: 1000) + "}"
        #expect(try values("user=\(user)") == ["user": user])
    }

    @Test func `an error holds nothing of the body`() throws {
        let errors = [
            try WireSupport.error { try values("nonce=s3cret&nonce=s3cret") },
            try WireSupport.error { try values("nonce=s3cret%FF") },
        ]
        for error in errors {
            let message = try #require(error).message
            #expect(!message.contains("s3cret"))
            #expect(message.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        }
    }
}
