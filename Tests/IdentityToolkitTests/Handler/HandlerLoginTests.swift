// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerState

/// What a login at the handler page keeps until its callback.
struct HandlerLoginTests {
    private typealias Queries = HandlerQueries

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func logins() throws -> [HandlerLogin] {
        [
            HandlerLogin(try Queries.start(Queries.javaScriptText, Queries.web), app: Queries.web),
            HandlerLogin(
                try Queries.start(
                    Queries.javaScriptText, Queries.web, ["authType": "reauthViaRedirect", "eventId": nil]),
                app: Queries.web),
            HandlerLogin(try Queries.start(Queries.iosText, Queries.ios), app: Queries.ios),
            HandlerLogin(try Queries.start(Queries.androidText, Queries.android), app: Queries.android),
        ]
    }

    @Test func `a login is read as it was written, and not if a byte is missing or too many`() throws {
        for login in try logins() {
            let encoded = login.encoded
            #expect(HandlerLogin(encoded: encoded) == login)
            for count in 0..<encoded.count { #expect(HandlerLogin(encoded: Array(encoded[..<count])) == nil) }
            #expect(HandlerLogin(encoded: encoded + [0]) == nil)
        }
    }

    @Test func `a login is the same in every version`() throws {
        let login = HandlerLogin(
            try Queries.start(
                Queries.javaScriptText, Queries.web, ["authType": "linkViaPopup", "eventId": "7"]),
            app: Queries.web)
        #expect(
            Self.hexadecimal(login.encoded)
                == "01" + "0003776562" + "000c6c696e6b566961506f707570"
                + "01001768747470733a2f2f6170702e6578616d706c652e636f6d" + "000137" + "0000")
        // Another format is not one of this version.
        #expect(HandlerLogin(encoded: [2] + login.encoded.dropFirst()) == nil)
    }

    /// A login whose parts may be others than this version writes.
    private static func encoded(
        authType: String = "signInViaPopup", kind: UInt8 = 1, destination: String = "https://app.example.com",
        binding: Int = 0
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(1 as UInt8)
        writer.write(counted: "web".utf8)
        writer.write(counted: authType.utf8)
        writer.write(kind)
        writer.write(counted: destination.utf8)
        writer.write(counted: "7".utf8)
        writer.write(counted: [UInt8](repeating: 4, count: binding))
        return writer.bytes
    }

    @Test func `a login with a part of another form is none`() throws {
        let page = "https://app.example.com/app#/cart"
        let login = try #require(HandlerLogin(encoded: Self.encoded(kind: 2, destination: page, binding: 32)))
        // As an earlier version wrote it.
        #expect(login.destination == .redirect(origin: try #require(WebOrigin("https://app.example.com"))))
        #expect(login.binding == SessionBinding(bytes: [UInt8](repeating: 4, count: 32)))
        #expect(HandlerLogin(encoded: Self.encoded())?.binding == nil)
        for other in [
            Self.encoded(authType: "verifyApp"), Self.encoded(authType: ""), Self.encoded(kind: 0),
            Self.encoded(kind: 5), Self.encoded(destination: "app.example.com"), Self.encoded(destination: page),
            Self.encoded(kind: 2, destination: "app.example.com"),
            Self.encoded(kind: 2, destination: #"https://app.example.com\"#), Self.encoded(binding: 1),
            Self.encoded(binding: 31), Self.encoded(binding: 33),
        ] {
            #expect(HandlerLogin(encoded: other) == nil, "\(Self.hexadecimal(other))")
        }
    }

    @Test func `the longest login is within its bound`() throws {
        let name = String(repeating: "a", count: 32)
        let label = String(repeating: "d", count: 63)
        let domain = [label, label, label, String(repeating: "d", count: 61)].joined(separator: ".") + ":65535"
        let app = SDKApp(name: name, apiKey: "web-4f1c0000", authorizedDomains: [domain])
        let start = try Queries.start(
            Queries.javaScriptText, app,
            [
                "authType": "signInViaRedirect", "eventId": String(repeating: "e", count: 400),
                "redirectUrl": "https://\(domain)/" + String(repeating: "p", count: 1000),
            ])
        let login = HandlerLogin(start, app: app)
        #expect(login.encoded.count > 253 + 400)
        #expect(login.encoded.count <= HandlerLogin.longest)
        #expect(HandlerLogin(encoded: login.encoded) == login)
    }
}
