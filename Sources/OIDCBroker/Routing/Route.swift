// SPDX-License-Identifier: Apache-2.0

import Admission
import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDRelyingParty

/// The part of the broker that a request goes to.
enum Route {
    /// An endpoint whose path does not depend on names of the configuration.
    case endpoint(EndpointPath)
    /// The path to which a provider sends its notifications.
    case notification(ProviderEntry)
    /// The path at which logins of an app of kind `in-process` begin.
    case login(AppEntry)
    /// The public keys of the broker as a client of a provider.
    case clientKeySet(PublicDocument)
    /// The file that proves the domain to Apple.
    case domainAssociation([UInt8])
    /// A route of an extension.
    case ofExtension(HandledRoute)
    /// The root of a standalone server, whose page says what the server is.
    case root
    /// A path with nothing behind it.
    case nothing

    /// Finds the route of a path.
    /// - Parameters:
    ///   - endpoint: The endpoint at the path; `nil` if there is none.
    ///   - path: The path, of visible ASCII.
    init(_ endpoint: EndpointPath?, at path: String, in snapshot: BrokerSnapshot) {
        if let endpoint {
            self = .endpoint(endpoint)
        } else if let provider = snapshot.notifiers[WireText(path)] {
            self = .notification(provider)
        } else if let app = snapshot.loginsByPath[WireText(path)] {
            self = .login(app)
        } else if let document = snapshot.clientKeySets[WireText(path)] {
            self = .clientKeySet(document)
        } else if path == BrokerConfiguration.appleDomainAssociationPath,
            let file = snapshot.configuration.appleDomainAssociation
        {
            self = .domainAssociation(file)
        } else if let route = snapshot.extensions.route(at: path) {
            self = .ofExtension(route)
        } else {
            self = .nothing
        }
    }

    /// The limit that counts the requests of the route. `browsers` counts each before anything is done; the others
    /// count those that are refused. `nil` means that the response is constant and costs no more than a refusal.
    var limit: RateLimit? {
        switch self {
        case .endpoint(let endpoint): endpoint.limit
        case .notification: .notifications
        // A page is made for a navigation to it.
        case .login, .root, .nothing: .browsers
        case .ofExtension(let route): route.limit
        case .domainAssociation, .clientKeySet: nil
        }
    }

    /// Whether a user or an app waits there for the end of a sign-in.
    var endsSignIn: Bool {
        switch self {
        case .endpoint(let endpoint): endpoint.endsSignIn
        case .ofExtension(let route): route.endsSignIn
        default: false
        }
    }
}

extension EndpointPath {
    /// Whether a user or an app waits there for the end of a sign-in, which then has more time.
    var endsSignIn: Bool {
        switch self {
        case .callback, .continue, .token: true
        default: false
        }
    }

    /// The limit in which its requests count, as ``Route/limit`` has it.
    var limit: RateLimit? {
        switch self {
        case .authorize, .choose, .callback, .continue, .logout, .confirmLogout, .loggedOut: .browsers
        case .token, .userInfo, .credential, .revoke, .introspect: .refusals
        case .discovery, .keySet: nil
        }
    }
}
