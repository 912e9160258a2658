// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerState
import OpenIDConnect

/// A hand-off code that an app sent, and what must match its record (RFC 6749 section 4.1.3, RFC 7636 section 4.5).
struct RedemptionRequest: Sendable {
    let handOff: HandOff
    let app: AppEntry
    /// The time of the request, in seconds since 1970.
    let now: Int64
    private let redirectURI: WireText
    private let verifier: WireText?
    private let resource: WireText?

    /// Reads the form of an authenticated app.
    /// - Parameter note: Is told why the form itself is a reason to refuse the code.
    init(
        _ form: Parameters, of app: AppEntry, now: Int64, noting note: (RedemptionRefusal) -> Void
    ) throws(TokenError) {
        guard let grantType = FormBody.value("grant_type", form) else {
            throw TokenError("invalid_request", "grant_type is missing.")
        }
        guard grantType == "authorization_code" else {
            throw TokenError("unsupported_grant_type", "grant_type must be authorization_code.")
        }
        func required(_ name: String) throws(TokenError) -> WireText {
            guard let value = FormBody.value(name, form) else {
                throw TokenError("invalid_request", "\(name) is missing.")
            }
            return value
        }
        let code = try required("code")
        verifier = FormBody.value("code_verifier", form)
        if verifier == nil, app.configuration.codeBinding == .pkce {
            note(.missingVerifier)
            _ = try required("code_verifier")
        }
        redirectURI = try required("redirect_uri")
        resource = FormBody.value("resource", form)
        // What the app may never have uses no code up.
        if let resource, app.resources?.named(resource) == nil { throw .invalidTarget }
        guard let handOff = HandOff(code: code) else {
            note(.unknown)
            throw .invalidGrant
        }
        self.handOff = handOff
        self.app = app
        self.now = now
    }

    /// Opens the record of the code.
    /// - Throws: The reason if anything does not match.
    func record(in sealed: [UInt8], issuer: String) throws(RedemptionRefusal) -> HandOffRecord {
        guard let record = handOff.open(sealed) else { throw .unknown }
        guard record.clientID.hasSameBytes(as: app.clientID) else { throw .otherApp }
        guard redirectURI.hasSameBytes(as: record.redirectURI) else { throw .otherRedirectURI }
        guard record.issuer.hasSameBytes(as: issuer) else { throw .otherIssuer }
        try Self.verify(verifier, of: record, mayBeUnchallenged: app.configuration.codeBinding != .pkce)
        _ = try resource(of: record)
        return record
    }

    /// Returns the API that the access token is for; `nil` for one for UserInfo alone.
    func resource(of record: HandOffRecord) throws(RedemptionRefusal) -> BrokerConfiguration.Resource? {
        do throws(InvalidTarget) {
            return try app.resource(resource, asked: record.resources)
        } catch {
            throw .otherResource
        }
    }

    /// Verifies that a verifier is that of the record's challenge. Without a challenge there must be no verifier either:
    /// the challenge may have been removed from the app's request (RFC 9700 section 2.1.1, PKCE downgrade).
    private static func verify(
        _ verifier: WireText?, of record: HandOffRecord, mayBeUnchallenged: Bool
    ) throws(RedemptionRefusal) {
        guard let challenge = record.codeChallenge else {
            guard verifier == nil else { throw .unexpectedVerifier }
            guard mayBeUnchallenged else { throw .missingChallenge }
            return
        }
        guard let verifier else { throw .missingVerifier }
        guard let sent = CodeVerifier(verifier), ConstantTime.equal(sent.challengeBytes, challenge) else {
            throw .invalidVerifier
        }
    }
}
