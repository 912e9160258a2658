// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration

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

    /// The endpoint of a request; `nil` for any other.
    init?(_ target: RoutedTarget, in snapshot: BrokerSnapshot) {
        switch target.endpoint {
        case .authorize: self = .authorize
        case .choose: self = .choose
        case .callback: self = .callback
        case .continue: self = .continue
        case .token: self = .token
        case .credential: self = .credential
        case .revoke: self = .revoke
        case .userInfo, .introspect, .logout, .confirmLogout, .loggedOut, .discovery, .keySet: return nil
        case nil:
            guard let path = target.path, snapshot.loginsByPath[WireText(path)] != nil else { return nil }
            self = .login
        }
    }
}
