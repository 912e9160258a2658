// SPDX-License-Identifier: Apache-2.0

import Admission
import JOSE
import OpenIDRelyingParty

/// Where a request goes.
enum Route {
    /// An endpoint whose path does not depend on names of the configuration.
    case endpoint(EndpointPath)
    /// Where a provider sends its notifications.
    case notification(ProviderEntry)
    /// Where the logins of an app of kind `in-process` begin.
    case login(AppEntry)
    /// Apple's file.
    case domainAssociation([UInt8])
    /// A path of an extension, with the limit that the extension declares for it.
    case ofExtension(any BrokerExtension, RateLimit?)
    /// A path that is nobody's.
    case nothing

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
        } else if path == BrokerConfiguration.appleDomainAssociationPath,
            let file = snapshot.configuration.appleDomainAssociation
        {
            self = .domainAssociation(file)
        } else if let owner = snapshot.extensions.first(where: { $0.handles(path: path) }) {
            self = .ofExtension(owner, owner.limit(at: path))
        } else {
            self = .nothing
        }
    }

    /// The limit in which its requests count. Those of browsers count before anything is done; in the others, what was
    /// refused. `nil` is for constant bytes, which cost no more than a refusal.
    var limit: RateLimit? {
        switch self {
        case .endpoint(let endpoint): endpoint.limit
        case .notification: .notifications
        // A page is made for a navigation to it.
        case .login, .nothing: .browsers
        case .ofExtension(_, let limit): limit
        case .domainAssociation: nil
        }
    }
}
