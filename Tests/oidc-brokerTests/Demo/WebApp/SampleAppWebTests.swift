// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import Testing

@testable import oidc_broker_demo

/// The web app of the sample app, as its server gives it to browsers.
struct SampleAppWebTests {
    private static let settings = WebAppSettings(
        publicURL: "https://localhost:1", brokerIssuer: "https://localhost:1/__/auth", apiKey: "key-of-the-app",
        projectID: "project")

    @Test func `The page loads the broker's script first and no script of another origin`() {
        let page = Self.get("/web", of: SampleAppWeb(Self.settings))
        #expect(page.status == .ok && page.headers["content-type"] == ["text/html; charset=utf-8"])
        #expect(
            Self.sources(page.body) == ["https://localhost:1/__/auth/sdk.js", "/web/client.js", "/web/app.js"])
        let policy = page.headers["content-security-policy"].first ?? ""
        for part in [
            "default-src 'none'", "frame-ancestors 'none'", "script-src 'self' https://localhost:1;",
            "connect-src https://localhost:1",
        ] {
            #expect(policy.contains(part), "\(part)")
        }
        #expect(!policy.contains("unsafe") && !page.body.contains("<script>"))
        #expect(page.headers["cross-origin-opener-policy"].isEmpty)
        for text in ["data-api-key=\"key-of-the-app\"", "data-project=\"project\"", "id=\"popup-apple\""] {
            #expect(page.body.contains(text), "\(text)")
        }
    }

    @Test func `Every button names something that both clients have`() {
        let page = Self.get("/web", of: SampleAppWeb(Self.settings)).body
        let actions = Set(page.split(separator: "data-action=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) })
        #expect(actions == ["signInWithPopup", "signInWithRedirect", "linkWithPopup", "signOut"])
        for action in actions.union(["redirectResult", "name", "user"]) {
            #expect(WebAppScripts.client.contains("    \(action)"), "\(action)")
            #expect(WebAppScripts.sdkClient.contains("    \(action)"), "\(action)")
        }
    }

    @Test func `The files of the SDK are served as they are, before the client that uses them`() {
        let web = SampleAppWeb(Self.settings, sdk: ["first // é", "second"])
        #expect(
            Self.sources(Self.get("/web", of: web).body) == [
                "https://localhost:1/__/auth/sdk.js", "/web/sdk-1.js", "/web/sdk-2.js", "/web/client.js", "/web/app.js",
            ])
        #expect(Self.get("/web/sdk-1.js", of: web).body == "first // é")
        #expect(Self.get("/web/sdk-2.js", of: web).headers["content-type"] == ["text/javascript; charset=utf-8"])
        #expect(Self.get("/web/sdk-1.js", of: web).headers["content-length"] == ["11"])
        #expect(Self.get("/web/client.js", of: web).body.contains("firebase.initializeApp"))
        #expect(!Self.get("/web/client.js", of: SampleAppWeb(Self.settings)).body.contains("firebase.initializeApp"))
    }

    @Test(arguments: ["/web/", "/web/sdk-1.js", "/web/nothing", "/webs", "/web?x", "/WEB", ""])
    func `No other path is one of it`(path: String) {
        #expect(!SampleAppWeb(Self.settings).handles(path))
    }

    @Test func `Only GET is answered`() {
        let request = SampleAppRequest(method: .POST, target: "/web")
        #expect(SampleAppWeb(Self.settings).respond(to: request).message.status == .methodNotAllowed)
    }

    private static func get(
        _ target: String, of web: SampleAppWeb
    ) -> (status: HTTPResponseStatus, headers: HTTPHeaders, body: String) {
        web.respond(to: SampleAppRequest(method: .GET, target: target)).message
    }

    private static func sources(_ html: String) -> [String] {
        html.split(separator: "<script src=\"").dropFirst().map { script in String(script.prefix { $0 != "\"" }) }
    }
}
