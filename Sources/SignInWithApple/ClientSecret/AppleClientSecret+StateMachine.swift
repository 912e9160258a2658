// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDRelyingParty

extension AppleClientSecret {
    /// The state machine of the client secrets. It signs nothing and has no clock; `now` is a parameter.
    package struct StateMachine: Sendable {
        /// The longest lifetime that Apple accepts for a client secret: six months, in seconds.
        package static let maximumLifetime: Int64 = 15_777_000
        /// The maximum number of client IDs that are remembered. They are configured, never taken from a request.
        package static let maximumClients = 256

        /// The action that a request for a client secret leads to.
        package enum AskAction: Sendable {
            /// Use this secret.
            case use(Secret)
            /// Sign a secret with this key, and report the result by ``signed(_:clientID:issuedAt:)`` or
            /// ``failed(clientID:now:)``.
            case sign(AppleKey, issuedAt: Int64, expiry: Int64)
            /// Fail, because there is no key.
            case fail
        }

        private struct Client: Sendable {
            let id: String
            var secret: Secret?
            var issuedAt: Int64 = 0
            /// Whether this client's last secret could be signed and was accepted; `nil` if nothing is known about the
            /// present key.
            var isUsable: Bool?
        }

        private let lifetime: Int64
        private var key: AppleKey?
        private var clients: [Client] = []
        /// The clients that are not recorded.
        private var retired: Set<String> = []

        /// Creates a state machine.
        /// - Parameters:
        ///   - key: The key to sign with; `nil` if there is none.
        ///   - lifetime: The lifetime of a secret in seconds, clamped to 2 through ``maximumLifetime``.
        package init(key: AppleKey?, lifetime: Int64) {
            self.key = key
            self.lifetime = min(max(2, lifetime), Self.maximumLifetime)
        }

        /// Requests a secret for a client. It is renewed after half its lifetime, and if the clock went back to before
        /// its `iat`, because Apple refuses a secret from the future.
        package mutating func ask(clientID: String, now: Int64) -> AskAction {
            guard let key else { return .fail }
            if let client = clients.first(where: { $0.id.hasSameBytes(as: clientID) }), let secret = client.secret,
                (0..<lifetime / 2).contains(now - client.issuedAt)
            {
                return .use(secret)
            }
            return .sign(key, issuedAt: now, expiry: now + lifetime)
        }

        /// Records a signed secret.
        package mutating func signed(_ secret: Secret, clientID: String, issuedAt: Int64) {
            let index = position(of: clientID)
            clients[index].secret = secret
            clients[index].issuedAt = issuedAt
        }

        /// Returns the previous secret after signing failed; `nil` if there is none or it has expired.
        package func failed(clientID: String, now: Int64) -> Secret? {
            guard let client = clients.first(where: { $0.id.hasSameBytes(as: clientID) }),
                (0..<lifetime).contains(now - client.issuedAt)
            else { return nil }
            return client.secret
        }

        /// Replaces the key. Secrets made with the old one are discarded, and nothing is known about the new one.
        package mutating func replaceKey(_ key: AppleKey) {
            self.key = key
            clients.removeAll()
        }

        /// Records whether a client's secrets are usable: whether they could be signed and Apple accepted them.
        /// - Returns: Whether this differs from what was recorded before; `false` for a retired client, which is not
        ///   recorded.
        package mutating func found(clientID: String, isUsable: Bool) -> Bool {
            guard !retired.contains(clientID) else { return false }
            let index = position(of: clientID)
            guard clients[index].isUsable != isUsable else { return false }
            clients[index].isUsable = isUsable
            return true
        }

        /// Forgets what is known about clients that the configuration no longer has. Requests in progress may still ask
        /// for their secrets, which are not recorded.
        package mutating func retire(_ clientIDs: Set<String>) {
            retired.formUnion(clientIDs)
            clients.removeAll { clientIDs.contains($0.id) }
        }

        /// Takes back that clients are retired. Nothing is known about those that were.
        package mutating func restore(_ clientIDs: Set<String>) {
            let restored = retired.intersection(clientIDs)
            guard !restored.isEmpty else { return }
            retired.subtract(restored)
            clients.removeAll { restored.contains($0.id) }
        }

        /// Whether nothing is known yet about a client's secrets under the present key.
        package func isUnknown(clientID: String) -> Bool {
            clients.first { $0.id.hasSameBytes(as: clientID) }?.isUsable == nil
        }

        private mutating func position(of clientID: String) -> Int {
            if let index = clients.firstIndex(where: { $0.id.hasSameBytes(as: clientID) }) { return index }
            if clients.count == Self.maximumClients { clients.removeFirst() }
            clients.append(Client(id: clientID))
            return clients.count - 1
        }
    }
}
