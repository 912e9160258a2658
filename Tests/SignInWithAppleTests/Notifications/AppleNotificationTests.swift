// SPDX-License-Identifier: Apache-2.0

import JOSE
import SignInWithApple
import Testing
import TestingSupport

/// A notification whose token is verified already.
@Suite struct AppleNotificationTests {
    private func token(_ events: JSONValue?) throws -> VerifiedPayload {
        var claims: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": .string(Apple.servicesID),
            "iat": .number(JSONNumber(Apple.now)), "jti": "notification-1",
        ]
        claims["events"] = events
        return try verified(claims)
    }

    private func text(_ object: JSONObject) -> JSONValue {
        .string(String(decoding: object.serialized(), as: UTF8.self))
    }

    @Test(
        .attack(.forgedAppleNotification),
        arguments: [
            ("email-disabled", .emailDisabled), ("email-enabled", .emailEnabled),
            ("consent-revoked", .consentRevoked), ("account-delete", .accountDeleted),
            ("account-deleted", .accountDeleted), ("something-new", .unknown("something-new")),
            ("Account-Deleted", .unknown("Account-Deleted")),
        ] as [(String, AppleNotification.Kind)])
    func `the kinds, by all their names`(name: String, kind: AppleNotification.Kind) throws {
        for isText in [true, false] {
            let event: JSONObject = ["type": .string(name), "sub": "000001.a.0001", "event_time": 1_800_000_000]
            let notification = try AppleNotification(token(isText ? text(event) : .object(event)))
            #expect(notification.kind == kind)
            #expect(notification.subject == "000001.a.0001")
            #expect(notification.identifier == "notification-1")
            #expect(notification.audience == Apple.servicesID)
            #expect(notification.issuedAt == Apple.now)
            #expect(notification.email == nil)
            #expect(notification.isPrivateEmail == nil)
        }
    }

    @Test(.attack(.forgedAppleNotification), arguments: [true, "true", false, "false"] as [JSONValue])
    func `the address of an email event`(isPrivate: JSONValue) throws {
        let notification = try AppleNotification(
            token(
                text([
                    "type": "email-disabled", "sub": "000001.a.0001", "email": "x@privaterelay.appleid.com",
                    "is_private_email": isPrivate,
                ])))
        #expect(notification.email == "x@privaterelay.appleid.com")
        #expect(notification.isPrivateEmail == (isPrivate == true || isPrivate == "true"))
    }

    @Test(
        .attack(.forgedAppleNotification),
        arguments: [
            (1_611_765_847, 1_611_765_847), (1_611_765_847_700, 1_611_765_847), (99_999_999_999, 99_999_999_999),
            (100_000_000_000, 100_000_000), (0, 0), (-1, nil), ("1611765847", nil), (nil, nil), (.null, nil),
        ] as [(JSONValue?, Int64?)])
    func `the time of an event, in seconds or milliseconds`(value: JSONValue?, time: Int64?) throws {
        var event: JSONObject = ["type": "consent-revoked", "sub": "000001.a.0001"]
        event["event_time"] = value
        #expect(try AppleNotification(token(text(event))).eventTime == time)
    }

    @Test(.attack(.forgedAppleNotification))
    func `an unknown kind may have no subject, and is passed on as Apple wrote it`() throws {
        let event: JSONObject = ["type": "something-new", "detail": ["a": [1, 2, 3]]]
        let notification = try AppleNotification(token(text(event)))
        #expect(notification.kind == .unknown("something-new"))
        #expect(notification.subject == nil)
        #expect(notification.json == event.serialized())
    }

    static let unreadable: [JSONValue?] = [
        nil, .null, 7, true, [], [["type": "consent-revoked"]], "", "null", "[]", "consent-revoked", "{", "{}",
        #"{"type":"consent-revoked"}"#, #"{"type":"consent-revoked","sub":""}"#, #"{"type":"consent-revoked","sub":7}"#,
        #"{"type":7,"sub":"a"}"#, #"{"type":"","sub":"a"}"#, #"{"sub":"a"}"#,
        #"{"type":"consent-revoked","type":"email-enabled","sub":"a"}"#,
        .string(#"{"type":"consent-revoked","sub":""# + String(repeating: "a", count: 256) + #""}"#),
        .string(#"{"type":""# + String(repeating: "a", count: 256) + #"","sub":"a"}"#),
    ]

    @Test(.attack(.forgedAppleNotification), arguments: unreadable)
    func `what holds no event is refused`(events: JSONValue?) throws {
        let token = try token(events)
        #expect(throws: AppleNotificationError.self) { try AppleNotification(token) }
    }
}
