// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// Every page of the broker with the texts of one language, as a user meets it, with an operator's name and notices.
struct PageGallery {
    /// A page and the name of its file.
    struct Entry {
        let name: String
        let page: Page
    }

    /// The galleries of all languages, and one whose script runs from right to left, which no language here has yet.
    static var all: [(name: String, gallery: PageGallery)] {
        var mirrored = PageTexts.english
        mirrored.direction = .rightToLeft
        return Language.allCases.map { ($0.texts.tag, PageGallery($0.texts)) } + [("rtl", PageGallery(mirrored))]
    }

    let texts: PageTexts
    private let pages: Pages

    init(_ texts: PageTexts) {
        self.texts = texts
        var branding = BrokerConfiguration.Branding()
        branding.operatorName = "Acme"
        branding.imprint = "https://acme.example/legal"
        branding.privacy = "https://acme.example/privacy"
        pages = Pages(texts: texts, theme: PageTheme(branding, host: "auth.example.com"))
    }

    var entries: [Entry] { forms + failures }

    private static let appName = "Acme Shop"

    private var forms: [Entry] {
        let providers = [
            ProviderChoice(name: "google", title: "Google", mark: .google),
            ProviderChoice(name: "apple", title: "Apple", mark: .apple),
            ProviderChoice(name: "microsoft", title: "Microsoft", mark: .microsoft),
            ProviderChoice(name: "acme", title: "Acme ID"),
        ]
        return [
            Entry(
                name: "chooser",
                page: pages.chooser(appName: Self.appName, providers: providers, action: "/choose", login: "l")),
            Entry(
                name: "start", page: pages.start(appName: Self.appName, at: providers[0], target: "/handler?apiKey=k")),
            Entry(
                name: "continue",
                page: pages.proceed(
                    appName: Self.appName, account: "ada.lovelace@people.example", destination: "com.acme.shop",
                    action: "/continue", login: "l")),
            Entry(
                name: "continue-without-account",
                page: pages.proceed(
                    appName:
                        "An app whose name is much longer than expected when the page was drawn, by far, and then some",
                    account: nil, destination: "127.0.0.1:49152", action: "/continue", login: "l")),
            Entry(name: "repost", page: pages.repost(action: "/handler", fields: [("code", "c")])),
            Entry(name: "fragment", page: pages.fragment(action: "/handler")),
            Entry(name: "event", page: pages.event(data: #"{"origin":"https://app.example","authEvent":{}}"#)),
            Entry(
                name: "cause",
                page: pages.failure(
                    texts.cannotBegin, status: .badRequest, appName: Self.appName,
                    cause: "redirectUrl is not allowed by the configuration", reference: PageReference())),
            Entry(
                name: "form-post", page: pages.formPost(action: "https://app.example/callback", fields: [("code", "c")])
            ),
            Entry(
                name: "sign-out",
                page: pages.confirmLogout(
                    appName: Self.appName, action: "/logout", logout: "l", cancel: "https://app.example/")),
            Entry(name: "sign-out-unknown", page: pages.confirmLogout(appName: nil, action: "/logout", logout: "l")),
            Entry(name: "signed-out", page: pages.loggedOut()),
            Entry(name: "about", page: pages.aboutServer()),
            Entry(
                name: "back-to-app",
                page: pages.failure(
                    texts.alreadyFinished, status: .badRequest, appName: Self.appName, reference: PageReference(),
                    link: .back(host: "shop.acme.example", url: "https://shop.acme.example/"))),
            Entry(
                name: "back-or-start-again",
                page: pages.failure(
                    texts.alreadyFinished, status: .badRequest, appName: Self.appName, reference: PageReference(),
                    link: .back(host: "shop.acme.example", url: "https://shop.acme.example/"),
                    otherLink: .startAgain(url: "/login/shop?to=%2F"))),
        ]
    }

    /// Every message of the texts, with what a failure has at most: an app, a link and a reference.
    private var failures: [Entry] {
        Mirror(reflecting: texts).children.compactMap { child in
            guard let name = child.label, let message = child.value as? PageMessage else { return nil }
            return Entry(
                name: "failure-" + name,
                page: pages.failure(
                    message, status: .badRequest, appName: Self.appName, reference: PageReference(),
                    link: .startAgain(url: "https://app.example/")))
        }
    }
}
