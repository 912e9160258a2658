// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import IdentityToolkit

/// The deep link for iOS and the intent for Android, read as the SDKs read them.
struct AppLinkTests {
    private static let publicURL = "https://auth.example.com/__/auth"
    private static let fallbackURL = "https://auth.example.com/__/auth/handler?a=b;c&d"
    /// An opaque value with everything that separates or encodes.
    private static let eventIDs = [
        "ABCDEFGHIJ", "6f9619ff-8b86-d011-b42d-00cf4fc964ff", "a+b c;d&e=f%20#/?;end;\u{E9}",
    ]

    private func event(_ eventID: String, _ result: HandlerEvent.Result) -> HandlerEvent {
        HandlerEvent(.signInWithRedirect, eventID: WireText(eventID), result)
    }

    @Test(arguments: eventIDs) func `a ticket gets to an app on iOS`(eventID: String) throws {
        let ticket = SignInTicket()
        let link = DeepLink(
            event(eventID, .ticket(ticket, sessionID: nil)), scheme: "app-1-123-ios-abc", publicURL: Self.publicURL)
        let read = try AppLinkReader.deepLink(link.text, scheme: "app-1-123-ios-abc")
        #expect(read.callback == "https://auth.example.com/__/auth/callback")
        #expect(
            read.result
                == AppLinkReader.Result(
                    authType: "signInWithRedirect", eventID: eventID,
                    link: "https://auth.example.com/__/auth/handler?ticket=\(ticket.text)"))
    }

    @Test(arguments: eventIDs) func `a ticket gets to an app on Android`(eventID: String) throws {
        let ticket = SignInTicket()
        let intent = AndroidIntent(
            event(eventID, .ticket(ticket, sessionID: nil)), package: "com.acme.app", publicURL: Self.publicURL,
            fallbackURL: Self.fallbackURL)
        let read = try AppLinkReader.intent(intent.text)
        #expect(read.values["scheme"] == "genericidp")
        #expect(read.values["package"] == "com.acme.app")
        #expect(read.values["B.encryptionEnabled"] == "false")
        #expect(read.values["S.browser_fallback_url"] == Self.fallbackURL)
        #expect(read.values.count == 7)
        #expect(
            read.result
                == AppLinkReader.Result(
                    authType: "signInWithRedirect", eventID: eventID,
                    link: "https://auth.example.com/__/auth/handler?ticket=\(ticket.text)"))
    }

    @Test(arguments: HandlerFailure.Code.allCases)
    func `an error has what the SDKs look for, and no link`(code: HandlerFailure.Code) throws {
        let failure = HandlerFailure(code)
        let expected = AppLinkReader.Result(
            authType: "signInWithRedirect", eventID: "ABCDEFGHIJ",
            error: ["code": code.rawValue, "message": failure.message])
        let event = event("ABCDEFGHIJ", .failure(failure))
        let link = DeepLink(event, scheme: "com.googleusercontent.apps.123-abc", publicURL: Self.publicURL)
        #expect(
            try AppLinkReader.deepLink(link.text, scheme: "com.googleusercontent.apps.123-abc").result == expected)
        let intent = AndroidIntent(
            event, package: "com.acme.app", publicURL: Self.publicURL, fallbackURL: Self.fallbackURL)
        #expect(try AppLinkReader.intent(intent.text).result == expected)
        #expect(!failure.message.isEmpty)
    }

    @Test func `both are visible ASCII without anything that ends a field or a value`() {
        let event = event("a\"<>\u{E9}\u{2028}", .failure(HandlerFailure(.internalError)))
        let texts = [
            DeepLink(event, scheme: "app-1-123-ios-abc", publicURL: Self.publicURL).text,
            AndroidIntent(
                event, package: "com.acme.app", publicURL: Self.publicURL, fallbackURL: Self.fallbackURL
            ).text,
        ]
        for text in texts {
            #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E })
        }
    }
}
