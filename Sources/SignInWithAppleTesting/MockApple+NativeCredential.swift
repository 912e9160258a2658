// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty

extension MockApple {
    /// The credential that an iOS app receives from the system after Sign in with Apple.
    public struct NativeCredential: Sendable, Hashable {
        /// The ID token, whose audience is the app's bundle ID.
        public let idToken: String
        /// The authorization code for the bundle ID, valid for five minutes.
        public let authorizationCode: String
        /// The nonce that the app kept; `nil` if it used none.
        public let rawNonce: String?
        /// The name as JSON, in the form of the web's `user` without an email; `nil` after the first consent.
        public let user: String?
    }

    /// An error for a bundle ID that is not registered.
    public struct UnknownBundleID: Error, Hashable, CustomStringConvertible {
        /// The bundle ID that is not registered.
        public let bundleID: String

        /// Creates an error for a bundle ID.
        public init(bundleID: String) {
            self.bundleID = bundleID
        }

        public var description: String { "no app has the bundle id '\(bundleID)'" }
    }

    /// Signs a user in within an app, without any request to a server.
    ///
    /// - Parameters:
    ///   - bundleID: One of the registered bundle IDs.
    ///   - rawNonce: The nonce that the app keeps. Apple receives its SHA-256 hash in lower-case hexadecimal. `nil` if
    ///     the app uses no nonce.
    ///   - person: The user who signs in.
    ///   - asksForName: Whether the app asks for the name and the email.
    /// - Throws: ``UnknownBundleID``, or an error of signing.
    public func nativeCredential(
        bundleID: String,
        rawNonce: String?,
        person: Person,
        asksForName: Bool = true
    ) throws -> NativeCredential {
        let nonce = rawNonce.map { ProviderProfile(nonceForm: .sha256Hexadecimal).nonce(fromRaw: $0) }
        let (token, code, user) = try engine.update {
            state throws(UnknownBundleID) -> (AppleIDToken, String, String?) in
            guard
                let client = state.configuration.clients.first(where: {
                    $0.id.hasSameBytes(as: bundleID) && $0.redirectURIs == nil
                })
            else { throw UnknownBundleID(bundleID: bundleID) }
            let isFirst = state.isFirstConsent(person, client)
            let consent = AppleConsent(email: person.email, teamID: client.teamID)
            let hidesEmail = state.consents[consent] ?? person.hidesEmail
            state.consents[consent] = hidesEmail
            let now = state.now
            let grant = AppleGrant(
                client: client, person: person, redirectURI: nil, scopes: asksForName ? ["name", "email"] : [],
                nonce: nonce, codeChallenge: nil, hidesEmail: hidesEmail, authTime: now,
                realUserStatus: isFirst ? person.realUserStatus : nil,
                transferSubject: state.transferSubject(of: person, for: client))
            let code = AppleState.randomValue()
            state.codes.insert(grant, for: code, expiry: now + AppleState.codeLifetime, now: now)
            var user: String?
            if isFirst, asksForName {
                state.counts.firstConsents += 1
                user =
                    AppleUserField(
                        givenName: person.givenName, familyName: person.familyName, email: nil, hasName: true,
                        misbehavior: state.misbehavior
                    ).text
            }
            return (state.idToken(grant, code: code), code, user)
        }
        return NativeCredential(
            idToken: try token.text(), authorizationCode: code, rawNonce: rawNonce, user: user)
    }
}
