// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDRelyingParty

extension AppleClientSecret {
    /// What an ask for a client secret leads to. Signs nothing and has no clock: `now` is handed in.
    package struct StateMachine: Sendable {
        /// The longest that Apple lets a client secret live, seconds: six months.
        package static let maximumLifetime: Int64 = 15_777_000
        /// The most client ids that are remembered; they are configured, never taken from a request.
        package static let maximumClients = 256

        /// What an ask leads to.
        package enum AskAction: Sendable {
            /// Use this.
            case use(Secret)
            /// Sign one with this key, and say so by ``signed(_:clientID:issuedAt:)`` or ``failed(clientID:now:)``.
            case sign(AppleKey, issuedAt: Int64, expiry: Int64)
            /// There is no key.
            case fail
        }

        private struct Client: Sendable {
            let id: String
            var secret: Secret?
            var issuedAt: Int64 = 0
            /// What was last found of this client's secrets; nil while nothing is known of the present key.
            var isUsable: Bool?
        }

        private let lifetime: Int64
        private var key: AppleKey?
        private var clients: [Client] = []

        /// - Parameter lifetime: seconds a secret lives; kept between 2 and ``maximumLifetime``.
        package init(key: AppleKey?, lifetime: Int64) {
            self.key = key
            self.lifetime = min(max(2, lifetime), Self.maximumLifetime)
        }

        /// Somebody needs a secret for a client. It is remade at half its life, and where the clock went back behind
        /// its making: Apple takes no secret from the future.
        package mutating func ask(clientID: String, now: Int64) -> AskAction {
            guard let key else { return .fail }
            if let client = clients.first(where: { $0.id.hasSameBytes(as: clientID) }), let secret = client.secret,
                (0..<lifetime / 2).contains(now - client.issuedAt)
            {
                return .use(secret)
            }
            return .sign(key, issuedAt: now, expiry: now + lifetime)
        }

        /// A secret was signed.
        package mutating func signed(_ secret: Secret, clientID: String, issuedAt: Int64) {
            let index = position(of: clientID)
            clients[index].secret = secret
            clients[index].issuedAt = issuedAt
        }

        /// Signing failed: the secret there is, if it lives on, else nothing.
        package func failed(clientID: String, now: Int64) -> Secret? {
            guard let client = clients.first(where: { $0.id.hasSameBytes(as: clientID) }),
                (0..<lifetime).contains(now - client.issuedAt)
            else { return nil }
            return client.secret
        }

        /// The key changed: nothing made with the old one is used any more, and nothing is known of the new one.
        package mutating func replaceKey(_ key: AppleKey) {
            self.key = key
            clients.removeAll()
        }

        /// What came of a secret: signed or not, taken by Apple or not.
        /// - Returns: whether that is news.
        package mutating func found(clientID: String, isUsable: Bool) -> Bool {
            let index = position(of: clientID)
            guard clients[index].isUsable != isUsable else { return false }
            clients[index].isUsable = isUsable
            return true
        }

        /// Whether nothing is known yet of a client's secrets under the present key.
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
