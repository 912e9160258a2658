// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The places to which a sign-in in process may lead.
struct LocalDestinationTests {
    private static let paths = BrokerPaths(
        prefix: "/__/auth", callbacks: ["/Sign-In/Callback"],
        others: [BrokerConfiguration.appleDomainAssociationPath])

    private static func isAccepted(_ text: String) -> Bool {
        LocalDestination(WireText(text), besides: paths)?.text == text
    }

    @Test(arguments: [
        "/", "/orders", "/orders/", "/orders/7?sort=a%2Fb&x=//y#part", "/%C3%A9t%C3%A9", "/a.b/..c/...", "/~ada/a;b=c",
        "/__", "/__/author", "/__/other", "/x/__/auth/handler", "/?to=https://other.example", "/#//x", "/a:b@c",
        "/sign-in", "/sign-in/callback/more", "/" + String(repeating: "x", count: 2047),
    ])
    func `a path of this origin is accepted as it is`(text: String) {
        #expect(Self.isAccepted(text))
    }

    @Test(arguments: [
        "", "orders", "//evil.example", "///evil.example", "/\\evil.example", "\\evil.example", "/\t/evil.example",
        "/\n//evil.example", " /orders", "/or ders", "https://evil.example/", "https:evil.example",
        "javascript:alert(1)",
        "/%2F/evil.example", "/%2f%2fevil.example", "/%5Cevil.example", "/%5cevil.example", "/%09/evil.example",
        "/%00", "/%0d%0aSet-Cookie:x", "/%7f", "/%", "/%4", "/%4g", "/%252Fevil.example", "/a%25b",
        "/./orders", "/../orders", "/orders/..", "/orders/.", "/orders/%2e%2e/x", "/%2E/x", "/.//evil.example",
        "/orders//x", "/orders//", "/\u{E9}", "/\u{202E}x", "/x\u{0}", "/x\u{7F}", "?to=/", "#x",
        "/__/auth", "/__/auth/", "/__/auth/handler", "/__/AUTH/handler", "/%5f%5f/auth/authorize?x", "/__/auth?x",
        "/__/auth#x", "/__/%61uth/logout", "/sign-in/callback", "/Sign-In/Callback", "/sign-in/callback/",
        "/.well-known/apple-developer-domain-association.txt", "/" + String(repeating: "x", count: 2048),
    ])
    func `nothing else is: other origins, ambiguous paths, and the broker's own`(text: String) {
        #expect(!Self.isAccepted(text))
    }
}
