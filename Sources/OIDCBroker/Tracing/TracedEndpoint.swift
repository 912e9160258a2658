// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The endpoints whose requests are spans: the value of `auth.endpoint`.
enum TracedEndpoint: String, CaseIterable, Sendable {
    case authorize
    case choose
    case login
    case callback
    case `continue`
    case token
    case credential
    case revoke

    /// The name of the span.
    var spanName: String {
        switch self {
        case .authorize, .choose, .login: Self.authorize.rawValue
        case .callback, .continue: Self.callback.rawValue
        case .token, .credential, .revoke: rawValue
        }
    }

    /// The endpoint of a received request target; `nil` for any other.
    init?(target: String, in snapshot: BrokerSnapshot) {
        let received = target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
        guard let path = WireText(received).visibleASCII(atMost: BrokerPaths.longest) else { return nil }
        switch snapshot.paths.endpoint(at: path) {
        case .authorize: self = .authorize
        case .choose: self = .choose
        case .callback: self = .callback
        case .continue: self = .continue
        case .token: self = .token
        case .credential: self = .credential
        case .revoke: self = .revoke
        case .userInfo, .logout, .confirmLogout, .loggedOut, .discovery, .keySet: return nil
        case nil:
            guard snapshot.loginsByPath[WireText(path)] != nil else { return nil }
            self = .login
        }
    }
}
