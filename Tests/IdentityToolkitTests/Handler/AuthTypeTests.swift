// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import IdentityToolkit

/// The closed set of what a start at the handler page is for.
struct AuthTypeTests {
    @Test(arguments: [
        ("signInViaPopup", AuthType.Delivery.popup, AuthType.Purpose.signIn),
        ("signInViaRedirect", .redirect, .signIn), ("linkViaPopup", .popup, .link),
        ("linkViaRedirect", .redirect, .link), ("reauthViaPopup", .popup, .reauthentication),
        ("reauthViaRedirect", .redirect, .reauthentication), ("signInWithRedirect", .app, .any),
    ])
    func `each says where the result goes and what it is for`(
        name: String, delivery: AuthType.Delivery, purpose: AuthType.Purpose
    ) throws {
        let type = try #require(AuthType(wire: WireText(name)))
        #expect(type.rawValue == name)
        #expect(type.delivery == delivery)
        #expect(type.purpose == purpose)
    }

    @Test func `there are seven, and nothing else is one`() {
        #expect(AuthType.allCases.count == 7)
        for name in ["", "verifyApp", "unknown", "SignInViaPopup", "signInViaPopup ", "signInViaPopup\0"] {
            #expect(AuthType(wire: WireText(name)) == nil, "\(name)")
        }
    }
}
