// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import oidc_broker_demo

/// What the demo's check reads of the page of a popup.
struct WebAppEventTests {
    private static func page(_ event: JSONObject, origin: JSONValue = "https://localhost:2") -> String {
        let block: JSONObject = ["origin": origin, "authEvent": .object(event)]
        let text = String(decoding: block.serialized(), as: UTF8.self)
        return "<p>x</p><script type=\"application/json\" id=\"x\">\(text)</script><script>1</script>"
    }

    private static let event: JSONObject = [
        "type": "signInViaPopup", "eventId": "e", "urlResponse": "https://localhost:1/__/auth/handler?ticket=t",
        "sessionId": "s", "postBody": .null, "tenantId": .null, "error": .null,
    ]

    @Test func `The event and the origin that it is for`() throws {
        let (event, origin) = try #require(WebAppEvent.read(html: Self.page(Self.event)))
        #expect(origin == "https://localhost:2")
        #expect(
            event
                == WebAppEvent(
                    type: "signInViaPopup", eventID: "e", requestURI: "https://localhost:1/__/auth/handler?ticket=t",
                    sessionID: "s"))
        #expect(event.members["sessionId"]?.text?.makeString() == "s")
        #expect(event.members["requestUri"]?.text?.makeString() == event.requestURI)
    }

    @Test(arguments: ["type", "urlResponse", "sessionId"])
    func `An event without what it needs is none`(name: String) {
        var event = Self.event
        event[name] = .null
        #expect(WebAppEvent.read(html: Self.page(event)) == nil)
    }

    @Test func `An error, no origin, no block, and a block that is not JSON are no event`() {
        var refused = Self.event
        refused["error"] = ["code": "auth/user-cancelled", "message": ""]
        for html in [
            Self.page(refused), Self.page(Self.event, origin: .null), "", "<script type=\"application/json\"",
            "<script type=\"application/json\">{</script>", "<script>{}</script>",
        ] {
            #expect(WebAppEvent.read(html: html) == nil, "\(html)")
        }
    }
}
