// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1
import NIOSSL

extension MockApple {
    /// A server-to-server notification to be: honest unless a member is changed.
    public struct Notification: Sendable, Hashable {
        /// Apple's name for what happened, for example `consent-revoked`.
        public var type: String
        /// The person, as the client's team knows them; nil leaves it out.
        public var subject: String?
        /// The address that a notification about e-mail is about.
        public var email: String?
        /// `is_private_email`, which Apple writes as text here.
        public var isPrivateEmail: Bool?
        /// The client it is for.
        public var audience: String
        /// `jti`; the same one is a repetition.
        public var identifier: String
        /// Seconds since 1970; nil takes the clock's time.
        public var issuedAt: Int64?
        /// Nil takes the real one.
        public var issuer: String?
        /// Whether `events` is the text of an object, as Apple sends it, or an object, as Apple documents it.
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

    /// A notification about a person to a client, with a `jti` of its own.
    ///
    /// - Parameters:
    ///   - type: `email-disabled`, `email-enabled`, `consent-revoked`, `account-delete`, or anything else.
    ///   - person: The person whom the notification is about.
    ///   - clientID: The client that is its audience.
    public func notification(_ type: String, about person: Person, to clientID: String) -> Notification {
        let teamID = responder.update { state in
            state.configuration.clients.first { $0.id.hasSameBytes(as: clientID) }?.teamID ?? ""
        }
        let isAboutEmail = type.hasPrefix("email-")
        return Notification(
            type: type, subject: person.subject(teamID: teamID),
            email: isAboutEmail ? person.relayAddress(teamID: teamID) : nil, isPrivateEmail: isAboutEmail ? true : nil,
            audience: clientID, identifier: AppleState.randomValue())
    }

    /// The body with which Apple posts a notification: `{"payload": "…"}`, the token signed anew.
    ///
    /// - Throws: an error of signing.
    public func body(of notification: Notification) throws -> String {
        let (issuer, key, now) = responder.update { ($0.issuer, $0.key, $0.now) }
        let claims = notification.claims(issuer: issuer, now: now)
        let signer = notification.isSignedByApple ? key : try SigningKey.generate(key.algorithm)
        let payload = try signer.sign(claims, header: ["kid": .string(key.keyID)])
        let body: JSONObject = ["payload": .string(payload)]
        return String(decoding: body.serialized(), as: UTF8.self)
    }

    /// Posts a notification, again and again until it is taken, as Apple does, but without pauses.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - url: the server's endpoint.
    ///   - certificateAuthority: PEM of what to trust there; nil for the system's.
    ///   - attempts: how often it is sent at most.
    /// - Returns: the statuses of the answers, the last one 200 where it was taken.
    /// - Throws: an error of the connection or of signing.
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
