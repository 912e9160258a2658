// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OpenIDConnect
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// The language of pages.
struct LanguageTests {
    @Test(
        arguments: [
            ("en", .english), ("en-GB", .english), ("DE-at", .german), ("fr-CA", .french), ("es-419", .spanish),
            ("ru", .russian), ("ja-JP", .japanese), ("zh", .simplifiedChinese), ("zh-CN", .simplifiedChinese),
            ("zh-Hans-HK", .simplifiedChinese), ("zh-TW", .traditionalChinese), ("zh-HK", .traditionalChinese),
            ("zh-Hant", .traditionalChinese), ("zh-Hant-CN", .traditionalChinese), ("it", nil), ("", nil), ("e", nil),
            ("english", nil), ("-de", nil), ("*", nil), ("d\u{65}\u{301}", nil),
        ] as [(String, Language?)])
    func `a tag names a language, whatever follows`(tag: String, language: Language?) {
        #expect(Language(tag: tag.utf8) == language)
    }

    @Test(
        arguments: [
            ("de", .german), ("it, de;q=0.5, fr;q=0.7", .french), ("en;q=0.8,de;q=0.8", .english),
            ("de;q=0", nil), ("de;q=0.000, en;q=0.001", .english), ("de;q=1.0", .german), ("de;q=2", nil),
            ("de;q=0.1234", nil), ("de;q=", nil), ("de; Q=0.4 , ru ;q=0.5", .russian), (",,;,", nil), ("*", nil),
            ("de;q=0.x, fr;q=0.2", .french), ("zh-TW,zh;q=0.9,en;q=0.8", .traditionalChinese),
        ] as [(String, Language?)])
    func `Accept-Language has weights`(field: String, language: Language?) {
        #expect(LanguagePreferences.best(of: field.utf8) == language)
    }

    @Test func `ui_locales are in the order of preference`() {
        #expect(LanguagePreferences.first(of: "it fr-CA de".utf8) == .french)
        #expect(LanguagePreferences.first(of: "it pt".utf8) == nil)
    }

    @Test func `only the first 512 bytes are read`() {
        let filler = String(repeating: "x", count: 510)
        #expect(LanguagePreferences.best(of: (filler + ",de").utf8) == nil)
        #expect(LanguagePreferences.first(of: (filler + " de").utf8) == nil)
        #expect(LanguagePreferences.best(of: (String(filler.dropLast()) + ",de").utf8) == .german)
    }

    @Test func `a page is in the language of the user agent`() throws {
        let installation = try Installation()
        for (field, tag, title) in [
            ("de-DE,de;q=0.9,en;q=0.5", "de", PageTexts.german.brokenLink.title),
            ("zh-TW", "zh-Hant", PageTexts.traditionalChinese.brokenLink.title),
            ("it", "en", PageTexts.english.brokenLink.title),
        ] {
            let response = try installation.get(
                Installation.handler + "?state=x&code=y", fields: [.acceptLanguage: field])
            #expect(response.text.contains("<html lang=\"\(tag)\" dir=\"ltr\">"))
            #expect(response.heading == title)
        }
    }

    @Test func `ui_locales of the app come first, up to the last page`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        let target = AppClient.phone.target(adding: [("ui_locales", "it es-MX")])
        let chooser = try browser.get(target) { $0[.acceptLanguage] = "de" }
        #expect(chooser.heading == "Iniciar sesión en <bdi>Phone</bdi>")
        let single = try Installation()
        var other = Browser(single)
        let start = try other.get(target) { $0[.acceptLanguage] = "de" }
        let location = try Location(start)
        let callback = try single.provider(at: location).signIn(location)
        let page = try other.bring(callback)
        #expect(page.heading == "¿Continuar a <bdi>Phone</bdi>?")
        #expect(page.text.contains("lang=\"es\""))
    }

    @Test func `ui_locales reach the pages behind Continue, of a withheld cookie, and of a start that is refused`()
        throws
    {
        var installation = try Installation()
        var browser = Browser(installation)
        let modes = [("ui_locales", "ru"), ("response_mode", "form_post")]
        let location = try Location(try browser.get(AppClient.desk.target(adding: modes)))
        let asked = try browser.bring(try installation.provider(at: location).signIn(location))
        for button in [("action", "cancel"), nil] {
            var copy = browser
            let posted = try copy.submit(asked, pressing: button)
            // The second one finds that the hand-off is gone.
            #expect(posted.text.contains(button == nil ? "lang=\"en\"" : "lang=\"ru\""))
        }
        let refused = try browser.get(AppClient.shop.target(["code_challenge": nil], adding: modes))
        #expect(refused.text.contains("name=\"error\"") && refused.text.contains("lang=\"ru\""))

        installation = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        browser = Browser(installation)
        browser.withholdsCrossSiteCookies = true
        let start = try Location(try browser.get(AppClient.shop.target(adding: modes)))
        let page = try browser.bringForm(try installation.provider(at: start).signIn(start))
        #expect(page.heading == PageTexts.russian.oneMoreStep)
    }

    @Test func `a right-to-left language turns the page`() {
        var texts = PageTexts.english
        texts.tag = "ar"
        texts.direction = .rightToLeft
        let page = Pages(texts: texts, theme: .plain).loggedOut()
        #expect(page.html.contains("<html lang=\"ar\" dir=\"rtl\">"))
        // Nothing in the stylesheet is tied to a side.
        for side in ["left:", "right:", "-left", "-right", ":left", ":right"] {
            #expect(!Stylesheet.shared.text.contains(side), "\(side)")
        }
    }
}
