// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import OIDCBroker
import OpenIDConnect
import OpenIDRelyingParty
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerRecords

/// The results that a web app gets, and what becomes of an outcome.
struct HandlerEventTests {
    private static let handler = "https://auth.example.com/__/auth/handler"

    @Test func `an event has every member that the SDK for JavaScript looks at`() throws {
        let ticket = SignInTicket()
        let event = HandlerEvent(.linkViaPopup, eventID: "9010801184", .ticket(ticket, sessionID: "s3ssion"))
        let members = event.members(handlerURL: Self.handler)
        let expected: JSONObject = [
            "type": "linkViaPopup", "eventId": "9010801184",
            "urlResponse": .string("\(Self.handler)?ticket=\(ticket.text)"), "sessionId": "s3ssion", "postBody": .null,
            "tenantId": .null, "error": .null,
        ]
        #expect(members == expected)
    }

    @Test(arguments: HandlerFailure.Code.allCases)
    func `an event with an error has neither a URL nor a session`(code: HandlerFailure.Code) {
        let event = HandlerEvent(.signInViaPopup, eventID: nil, .failure(HandlerFailure(code)))
        let members = event.members(handlerURL: Self.handler)
        #expect(members.count == 7)
        for name in ["eventId", "urlResponse", "sessionId", "postBody", "tenantId"] { #expect(members[name] == .null) }
        #expect(members["error"]?.objectValue?["code"] == .string(code.rawValue))
        #expect(members["error"]?.objectValue?["message"]?.text?.isEmpty == false)
    }

    /// The pairs of a fragment, as `URLSearchParams` reads them.
    private static func pairs(_ fragment: String) throws -> [[String]] {
        try fragment.split(separator: "&").map { pair in
            try pair.split(separator: "=", omittingEmptySubsequences: false).map { part in
                try #require(part.replacingOccurrences(of: "+", with: " ").removingPercentEncoding)
            }
        }
    }

    @Test func `a page gets a ticket in its fragment, and no session`() throws {
        let ticket = SignInTicket()
        let event = HandlerEvent(.linkViaRedirect, eventID: "uid:::1+2 3", .ticket(ticket, sessionID: nil))
        #expect(
            try Self.pairs(event.fragment(pageFragment: "/cart?a=1&b=%20")) == [
                ["oidc-broker", "ticket"], ["ticket", ticket.text], ["type", "linkViaRedirect"],
                ["eventId", "uid:::1+2 3"], ["fragment", "/cart?a=1&b=%20"],
            ])
        let bare = HandlerEvent(.signInViaRedirect, eventID: nil, .ticket(ticket, sessionID: nil))
        #expect(
            bare.fragment(pageFragment: nil)
                == "oidc-broker=ticket&ticket=\(ticket.text)&type=signInViaRedirect")
    }

    @Test(arguments: HandlerFailure.Code.allCases)
    func `a page gets an error in its fragment`(code: HandlerFailure.Code) throws {
        let event = HandlerEvent(.signInViaRedirect, eventID: "e", .failure(HandlerFailure(code)))
        #expect(
            try Self.pairs(event.fragment(pageFragment: nil)) == [
                ["oidc-broker", "error"], ["code", code.rawValue], ["message", HandlerFailure(code).message],
                ["type", "signInViaRedirect"], ["eventId", "e"],
            ])
    }

    @Test func `the text for an element of a page ends nothing, and is the same object`() throws {
        let hostile = "</script><!--\u{2028}\u{2029}&amp;\\\"\u{1}"
        let object: JSONObject = ["event": ["eventId": .string(hostile)], "</script>": .null]
        let text = object.scriptText
        for part in ["<", ">", "&", "\u{2028}", "\u{2029}"] {
            #expect(!text.unicodeScalars.contains { String($0) == part }, "\(part)")
        }
        let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((read["event"] as? [String: String])?["eventId"].map { Array($0.utf8) } == Array(hostile.utf8))
        #expect(try WireSupport.object(Array(text.utf8)) == object)
    }

    @Test func `what an outcome tells the app`() {
        let transport = RelyingPartyError.transport(.token, .circuitOpen)
        let rows: [(Outcome, HandlerFailure.Code)] = [
            (.cancelled, .userCancelled),
            (.providerUnavailable(transport), .networkRequestFailed),
            (.failed(.unusable(.idToken, "x")), .invalidCredential),
            (.unexpectedSubject, .invalidCredential), (.sharedCallbackPath, .invalidCredential),
            (.storeUnavailable, .internalError), (.tooManyHandOffs, .internalError),
            (.tooManyOfProvider, .internalError), (.tooManyCallbacks, .internalError),
            (.accountsUnavailable("x"), .internalError), (.changed, .internalError), (.expired, .internalError),
        ]
        for (outcome, code) in rows { #expect(HandlerFailure(outcome).code == code, "\(outcome.label)") }
        let ofStarts: Set<HandlerFailure.Code> = [.operationNotAllowed, .invalidOAuthProvider, .argumentError]
        #expect(Set(rows.map(\.1)) == Set(HandlerFailure.Code.allCases).subtracting(ofStarts))
    }

    @Test(arguments: [
        ("temporarily_unavailable", HandlerFailure.Code.networkRequestFailed),
        ("server_error", .networkRequestFailed), ("invalid_scope", .invalidCredential),
        ("login_required", .invalidCredential),
    ])
    func `what an error of a provider tells the app`(code: String, expected: HandlerFailure.Code) throws {
        let error = ProviderError(code: WireText(code), description: nil)
        #expect(HandlerFailure(.refused(error)).code == expected)
    }
}
