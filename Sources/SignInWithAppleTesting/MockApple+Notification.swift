// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1
import NIOSSL
import OIDCBrokerTesting

extension MockApple {
    /// The content of a server-to-server notification. It is valid unless a member is changed.
    public struct Notification: Sendable, Hashable {
        /// Apple's name of the event, for example `consent-revoked`.
        public var type: String
        /// The subject of the user for the client's team; `nil` to omit it.
        public var subject: String?
        /// The email of a notification about email.
        public var email: String?
        /// The `is_private_email`, which Apple writes as a string here.
        public var isPrivateEmail: Bool?
        /// The client ID of the recipient.
        public var audience: String
        /// The `jti`. A notification with the same one is a repetition.
        public var identifier: String
        /// The `iat`, in seconds since 1970; `nil` for the clock's time.
        public var issuedAt: Int64?
        /// The issuer; `nil` for the real one.
        public var issuer: String?
        /// Whether `events` is a string that contains an object, as Apple sends it, or an object, as Apple documents
        /// it.
        public var writesEventsAsText = true
        /// Whether it is signed with the key that `kid` names.
        public var isSignedByApple = true

        fileprivate func claims(issuer: String, now: Int64) -> JSONObject {
            let issuedAt = issuedAt ?? now
            var event: JSONObject = ["type": .string(type)]
            if let subject { event["sub"] = .string(subject) }
            if let email { event["email"] = .string(email) }
            if let isPrivateEmail { event["is_private_email"] = .string(isPrivateEmail ? "true" : "false") }
            event["event_time"] = .number(JSONNumber(issuedAt * 1000 + 348))
            let events: JSONValue =
                writesEventsAsText ? .string(String(decoding: event.serialized(), as: UTF8.self)) : .object(event)
            return [
                "iss": .string(self.issuer ?? issuer), "aud": .string(audience),
                "exp": .number(JSONNumber(issuedAt + 86_400)), "iat": .number(JSONNumber(issuedAt)),
                "jti": .string(identifier), "events": events,
            ]
        }
    }

    /// Returns a notification about a user to a client, with a new `jti`.
    ///
    /// - Parameters:
    ///   - type: `email-disabled`, `email-enabled`, `consent-revoked`, `account-delete`, or any other text.
    ///   - person: The subject of the notification.
    ///   - clientID: The client that is its audience.
    public func notification(_ type: String, about person: Person, to clientID: String) -> Notification {
        let teamID = engine.update { state in
            state.configuration.clients.first { $0.id.hasSameBytes(as: clientID) }?.teamID ?? ""
        }
        let isAboutEmail = type.hasPrefix("email-")
        return Notification(
            type: type, subject: person.subject(teamID: teamID),
            email: isAboutEmail ? person.relayAddress(teamID: teamID) : nil, isPrivateEmail: isAboutEmail ? true : nil,
            audience: clientID, identifier: AppleState.randomValue())
    }

    /// Returns the body with which Apple posts a notification: `{"payload": "…"}`, newly signed.
    ///
    /// - Throws: An error of signing.
    public func body(of notification: Notification) throws -> String {
        let (issuer, key, now) = engine.update { ($0.issuer, $0.key, $0.now) }
        let claims = notification.claims(issuer: issuer, now: now)
        let signer = notification.isSignedByApple ? key : try SigningKey.generate(key.algorithm)
        let payload = try signer.sign(claims, header: ["kid": .string(key.keyID)])
        let body: JSONObject = ["payload": .string(payload)]
        return String(decoding: body.serialized(), as: UTF8.self)
    }

    /// Posts a notification repeatedly until it is accepted, as Apple does, but without pauses.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - url: The server's endpoint.
    ///   - certificateAuthority: The PEM of the trusted certificate authority; `nil` for those of the system.
    ///   - attempts: The maximum number of attempts.
    /// - Returns: The statuses of the responses. The last one is 200 if the notification was accepted.
    /// - Throws: An error of the connection or of signing.
    public func deliver(
        _ notification: Notification,
        to url: String,
        certificateAuthority: String? = nil,
        attempts: Int = 1
    ) async throws -> [Int] {
        let body = try body(of: notification)
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificateAuthority {
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificateAuthority.utf8)))
        }
        let client = HTTPClient(
            eventLoopGroupProvider: .shared(group),
            configuration: HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow))
        var statuses: [Int] = []
        do {
            while statuses.count < attempts, statuses.last != 200 {
                var request = HTTPClientRequest(url: url)
                request.method = .POST
                request.headers = ["content-type": "application/json"]
                request.body = .bytes(ByteBuffer(string: body))
                let response = try await client.execute(request, timeout: .seconds(30))
                _ = try await response.body.collect(upTo: 65_536)
                statuses.append(Int(response.status.code))
            }
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        return statuses
    }
}
