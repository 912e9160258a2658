// SPDX-License-Identifier: Apache-2.0

package import Accounts
import Admission
import JOSE
package import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDConnect
import OpenIDRelyingParty

/// The wire of the Firebase SDKs for sign-in with OpenID Providers, beside a broker: it decodes requests, calls
/// `AccountService`, and encodes what it says.
package struct IdentityToolkit: Sendable {
    /// The accounts.
    package let service: AccountService
    let apps: SDKApps
    let limits: AccountLimits
    private(set) var sealer: PendingCredentialSealer
    /// The keys of the refresh tokens of OpenID apps.
    private(set) var successorKeys = SuccessorKeys(sealingKeys: [])
    /// The URL of the broker: its origin and the prefix of its paths.
    let publicURL: String
    let handlerPaths: HandlerPaths
    let documents: AccountDocuments
    /// What makes session cookies; `nil` if they are not offered.
    let cookies: SessionCookies?
    let sdkDocuments: SDKDocuments
    /// Whether this is the wire on the loopback listener, whose clients speak for many users.
    private(set) var isOnLoopback = false

    /// The limiter, and the clock that it counts by.
    package struct AccountLimits: Sendable {
        let limiter: any AccountLimiter
        let elapsed: @Sendable () -> Int64

        /// - Parameters:
        ///   - limiter: The limiter.
        ///   - elapsed: Returns seconds of elapsed time since any moment that does not change.
        package init(limiter: any AccountLimiter, elapsed: @escaping @Sendable () -> Int64) {
            self.limiter = limiter
            self.elapsed = elapsed
        }

        /// Whether a client may make an account, which ``noteNewAccount(from:)`` counts when it is made.
        func allowsNewAccount(from client: IPAddress?) -> Bool {
            wouldProceed(.newAccount) && Self.newAccounts(from: client).allSatisfy { wouldProceed($0) }
        }

        /// Counts an account that was made for a client.
        func noteNewAccount(from client: IPAddress?) {
            _ = mayProceed(.newAccount)
            for operation in Self.newAccounts(from: client) { _ = mayProceed(operation) }
        }

        /// A new account in each of the networks of a client; none if its address is not known.
        private static func newAccounts(from client: IPAddress?) -> [LimitedAccountOperation] {
            client?.networkKeys.map { .newAccountFrom(network: $0) } ?? []
        }

        /// A sign-in of an identity at an app.
        /// - Parameter client: The address of a client that presents a credential of its own; `nil` if it is not known, or
        ///   a browser signs in.
        static func signIn(_ key: IdentityKey, at app: String, from client: IPAddress?) -> LimitedAccountOperation {
            // The widest one: a client with more addresses than that needs the user's credential at each.
            .signIn(key, app: app, network: client?.countedNetworks.last?.network.address.bytes)
        }

        /// Decides about an operation without counting it.
        func wouldProceed(_ operation: LimitedAccountOperation) -> Bool {
            limiter.decide(operation, now: elapsed()) == .proceed
        }

        /// Decides about an operation, and counts it if it may proceed.
        func mayProceed(_ operation: LimitedAccountOperation) -> Bool {
            limiter.take(operation, now: elapsed()) == .proceed
        }
    }

    /// Creates the wire of a project.
    /// - Parameters:
    ///   - service: The accounts.
    ///   - apps: The apps of the SDKs.
    ///   - publicURL: The URL of the broker: its origin and the prefix of its paths, as in
    ///     `https://auth.example.com/__/auth`.
    ///   - limits: The limits on how often something happens.
    ///   - cookies: What makes session cookies; `nil` if they are not offered.
    /// - Throws: An error if the public URL is none, or no certificate can be made of a key.
    package init(
        service: AccountService, apps: [SDKApp], publicURL: String, limits: AccountLimits,
        cookies: SessionCookies? = nil
    ) throws {
        documents = try AccountDocuments(of: service.tokens, cookies, publicURL: publicURL)
        self.cookies = cookies
        sdkDocuments = try SDKDocuments(publicURL: publicURL)
        self.service = service
        self.apps = SDKApps(apps)
        self.limits = limits
        self.publicURL = publicURL
        handlerPaths = HandlerPaths(publicURL: publicURL)
        // The keys come with the configuration of the broker, when it is created and at each reload.
        sealer = PendingCredentialSealer(sealingKeys: [], projectID: service.tokens.projectID)
    }

    /// The wire on the loopback listener.
    var onLoopback: IdentityToolkit {
        var wire = self
        wire.isOnLoopback = true
        return wire
    }

    /// The accounts for the requests of a client, each of whose networks gets a share of what waits there.
    func accounts(for client: IPAddress?) -> AccountService {
        guard !isOnLoopback, let client else { return service }
        return service.serving(client.networkKeys)
    }

    /// The roles in which it extends a broker.
    package var extensions: BrokerExtensions {
        BrokerExtensions(routes: [self], decider: self, sessions: self, logins: [self], notifications: [self]) {
            configuration in
            var configured = self
            let keys = configuration.sealingKeys.compactMap { Base64.decode($0.exposed) }
            configured.sealer = PendingCredentialSealer(sealingKeys: keys, projectID: service.tokens.projectID)
            configured.successorKeys = SuccessorKeys(sealingKeys: keys)
            return configured.extensions
        }
    }

    /// The URL of the broker's handler page.
    var handlerURL: String { publicURL + "/handler" }

    /// Whether a URL is that of the broker's handler page.
    func isHandler(_ url: AbsoluteURL) -> Bool {
        url.text.utf8.prefix { $0 != UInt8(ascii: "?") }.elementsEqual(handlerURL.utf8)
    }
}

extension IPAddress {
    /// What identifies each of the networks of a client.
    fileprivate var networkKeys: [[UInt8]] {
        countedNetworks.map { $0.network.address.bytes + [UInt8(truncatingIfNeeded: $0.network.prefixLength)] }
    }
}
