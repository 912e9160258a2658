// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import NIOHTTP1
import OIDCBrokerTesting
import OpenIDConnect

extension DemoCheck {
    private var webAppURL: String { appURL + SampleAppWeb.path }
    /// Where the page is that a redirect goes back to, in an app that finds its pages by the fragment.
    private static let pageFragment = "/orders"

    /// Signs in from the web app by popup and by redirect, and does what its page and the broker's script would do.
    func useWebApp(_ walk: inout Walk, _ uid: String) async throws {
        try await walk.step("Web app: its page, which loads the broker's script before its own") { browser, see in
            let page = try await browser.open(webAppURL)
            try see.page(page, containing: "data-api-key=\"\(DemoAccounts.webAPIKey)\"")
            let scripts = page.body.split(separator: "<script src=\"").dropFirst()
            let first = scripts.first.map { script in String(script.prefix { $0 != "\"" }) }
            try see.that(first == brokerIssuer + "/sdk.js", "it loads another script first")
            try see.page(try await browser.open(brokerIssuer + "/sdk.js"), containing: "gapi")
        }
        try await signInByPopup(&walk, uid)
        try await signInByRedirect(&walk, uid)
        try await walk.step("Web app: a start for a page of another origin is refused") { browser, see in
            try see.refusal(try await browser.open(start("signInViaPopup", for: "https://example.org/", eventID: "1")))
        }
    }

    private func signInByPopup(_ walk: inout Walk, _ uid: String) async throws {
        let eventID = Base64URL.encode(SecureRandom.bytes(16))
        let toCallback = try await signIn(&walk, by: "popup", start("signInViaPopup", for: webAppURL, eventID: eventID))
        let event = try await walk.step("Broker: callback, and a page that posts a ticket to the app's origin alone") {
            browser, see in
            let page = try await browser.open(toCallback)
            try see.that(!page.body.contains(".eyJ"), "there is a token in the page")
            guard page.status == 200, let (event, origin) = WebAppEvent.read(html: page.body) else {
                throw DemoCheckFailure(step: see.step, reason: "status \(page.status), and no event in the page")
            }
            try see.that(origin == appURL, "the event is for another origin")
            try see.that(event.type == "signInViaPopup" && event.eventID == eventID, "it is of another sign-in")
            return event
        }
        try await redeem(event, &walk, uid)
        try await walk.step("Web app: the same ticket again is refused") { browser, see in
            let answer = try await browser.fetch(signInURL, json: event.members.serialized(), from: appURL)
            try see.that(
                answer.status == 400 && answer.members["idToken"] == nil, "status \(answer.status), not refused")
        }
    }

    private func signInByRedirect(_ walk: inout Walk, _ uid: String) async throws {
        let page = "\(webAppURL)#\(Self.pageFragment)"
        let toCallback = try await signIn(&walk, by: "redirect", start("signInViaRedirect", for: page, eventID: nil))
        let login = try await walk.step("Broker: callback, and back to the app's page with the ID of the login alone") {
            browser, see in
            let location = try see.redirect(try await browser.open(toCallback), to: webAppURL + "#oidc-broker=done&")
            try see.that(!location.contains("ticket="), "there is a ticket before the claim")
            return try see.fragment("login", of: location)
        }
        // As the script does. The value stays in the page, and its hash goes to the broker.
        let verifier = CodeVerifier(bytes: SecureRandom.bytes(32))
        let claim =
            "\(brokerIssuer)/claim?" + FormURLEncoding.encode([("login", login), ("challenge", verifier.challenge)])
        let cookies = await walk.browser.jar
        try await walk.step("Broker: a claim without the login's cookie is refused") { browser, see in
            await browser.forget()
            try see.refusal(try await browser.open(claim, referrer: webAppURL))
            await browser.restore(cookies)
        }
        let ticket = try await walk.step("Broker: the claim, and back to the page with a ticket and its own fragment") {
            browser, see in
            let location = try see.redirect(
                try await browser.open(claim, referrer: webAppURL), to: webAppURL + "#oidc-broker=ticket&")
            try see.that(try see.fragment("type", of: location) == "signInViaRedirect", "it is of another sign-in")
            try see.that(
                try see.fragment("fragment", of: location) == Self.pageFragment, "the page's own fragment is missing")
            return try see.fragment("ticket", of: location)
        }
        try await walk.step("Broker: the same claim again is refused") { browser, see in
            // The deleted cookie is restored, since a thief would have kept it.
            await browser.restore(cookies)
            try see.refusal(try await browser.open(claim, referrer: webAppURL))
        }
        let event = WebAppEvent(
            type: "signInViaRedirect", eventID: nil, requestURI: "\(brokerIssuer)/handler?ticket=\(ticket)",
            sessionID: verifier.value)
        try await redeem(event, &walk, uid)
    }

    // MARK: Steps

    /// Walks from the broker's handler to the provider, and signs Ada in.
    ///
    /// - Returns: The URL of the callback.
    private func signIn(_ walk: inout Walk, by way: String, _ start: String) async throws -> String {
        let login: (page: HTTPBrowser.Page, form: PageForm) = try await walk.step(
            "Web app: sign-in by \(way), on to the provider's login page"
        ) { browser, see in
            let toProvider = try see.redirect(try await browser.open(start), to: providerIssuer + "/authorize?")
            let page = try await browser.open(toProvider)
            return (page, try see.form(of: page, containing: "id=\"password\""))
        }
        let user = DemoUser.ada.account
        let consent = try await logIn(&walk, login, email: user.email, password: user.password)
        return try await walk.step("Provider: allow") { browser, see in
            let response = try await browser.submit(consent.form, of: consent.page, [("decision", "allow")])
            return try see.redirect(response, to: brokerIssuer + "/handler?")
        }
    }

    private func redeem(_ event: WebAppEvent, _ walk: inout Walk, _ uid: String) async throws {
        try await walk.step("Web app: the ticket redeemed by its page; it is the same account") { browser, see in
            let answer = try await browser.fetch(signInURL, json: event.members.serialized(), from: appURL)
            try see.that(answer.status == 200, "status \(answer.status), not 200")
            try see.that(
                answer.headers.first(name: "access-control-allow-origin") == appURL, "the page may not read the answer")
            try see.that(answer.members["localId"]?.text?.hasSameBytes(as: uid) == true, "another uid")
            try see.that(
                answer.members["idToken"] != nil && answer.members["refreshToken"] != nil, "tokens are missing")
        }
    }

    /// The URL of the start of a sign-in, as the Firebase SDK makes it.
    private func start(_ type: String, for page: String, eventID: String?) -> String {
        let parameters = [
            ("apiKey", DemoAccounts.webAPIKey), ("appName", "[DEFAULT]"), ("authType", type), ("redirectUrl", page),
            ("v", "demo"), ("providerId", DemoProvider.development.wireID),
        ]
        let event = eventID.map { [("eventId", $0)] } ?? []
        return "\(brokerIssuer)/handler?\(FormURLEncoding.encode(parameters + event))"
    }

    /// The URL at which tickets are redeemed.
    private var signInURL: String {
        let origin = brokerIssuer.dropLast(DemoConfiguration.pathPrefix.utf8.count)
        return "\(origin)/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=\(DemoAccounts.webAPIKey)"
    }
}

extension DemoCheck.Expectations {
    /// Expects a parameter in the fragment of a URL, and returns its value.
    func fragment(_ name: String, of url: String) throws -> String {
        let fragment = url.drop { $0 != "#" }.dropFirst()
        guard let value = try FormURLEncoding.parse(fragment.utf8).nonEmptyValue(name)?.ascii(atMost: 1024) else {
            throw DemoCheckFailure(step: step, reason: "the fragment has no \(name)")
        }
        return value
    }
}

extension HTTPBrowser.Page {
    /// The members of a body of JSON; none if it is not JSON.
    fileprivate var members: JSONObject {
        (try? JSONParser.object(Array(body.utf8), limits: JSONLimits(maximumBytes: 1 << 20))) ?? JSONObject()
    }
}
