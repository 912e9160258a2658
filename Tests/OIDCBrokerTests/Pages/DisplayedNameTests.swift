// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// The names of apps and providers on pages.
struct DisplayedNameTests {
    @Test(arguments: [("google", "Google"), ("github", "GitHub"), ("web", "Web"), ("x1", "X1")])
    func `a key is never shown as it is`(key: String, name: String) {
        #expect(DisplayedName.name(title: nil, key: key) == name)
        #expect(DisplayedName.name(title: "Acme Shop", key: key) == "Acme Shop")
    }

    @Test func `titles stand on the pages, escaped`() throws {
        let installation = try Installation(providers: ["acme", "google"]) {
            $0.apps[2].title = "Acme <b>Desk</b>"
            $0.providers[0].title = "Acme & Co"
        }
        var browser = Browser(installation)
        let chooser = try browser.get(AppClient.desk.target())
        #expect(chooser.text.contains("Sign in to <bdi>Acme &lt;b&gt;Desk&lt;/b&gt;</bdi>"))
        #expect(chooser.text.contains("Continue with <bdi>Acme &amp; Co</bdi>"))
        #expect(chooser.text.contains("Continue with <bdi>Google</bdi>"))
        let page = try browser.bring(
            try browser.authenticate(
                AppClient(clientID: "phone", redirectURI: "com.example.phone:/callback", provider: "acme")))
        #expect(page.heading == "Continue to <bdi>Phone</bdi>?")
    }

    @Test(arguments: [
        ("", false), (" ", false), ("A", true), ("シ".repeated(64), true), ("シ".repeated(65), false), ("a\u{0}", false),
        ("a\u{202E}b", false), ("a\nb", false), ("Café & Søn", true), ("e" + "\u{301}".repeated(64), false),
    ])
    func `a title is 1 to 64 visible characters`(title: String, isValid: Bool) throws {
        #expect(DisplayedName.isTitle(title) == isValid)
        guard !isValid else { return }
        let error = #expect(throws: BrokerConfigurationError.self) { try Installation { $0.apps[0].title = title } }
        #expect(error?.errors.map(\.key) == ["auth.app.shop.title"])
        let other = #expect(throws: BrokerConfigurationError.self) {
            try Installation { $0.providers[0].title = title }
        }
        #expect(other?.errors.map(\.key) == ["auth.provider.acme.title"])
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
