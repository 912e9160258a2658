// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OIDCBrokerPages

/// The record that a hand-off code refers to.
package struct HandOffRecord: Sendable, Hashable {
    /// The client ID of the app to which the code was issued.
    package var clientID: String
    /// The redirect URI to which the code was sent.
    package var redirectURI: String
    /// The S256 challenge of the app, 32 bytes; `nil` if it sent none. An empty one cannot be stored.
    package var codeChallenge: [UInt8]?
    /// The issuer of the code, the broker.
    package var issuer: String
    /// The scopes of the sign-in.
    package var scopes: GrantedScopes
    /// The claims of the ID token, without the times and hashes that minting adds.
    package var claims: JSONObjectText
    /// The `upstream` member of the response; `nil` if the app is not allowed to have it.
    package var upstream: JSONObjectText?
    /// The `user` member of the response, a name that no signature covers; `nil` if there is none.
    package var user: JSONObject?
    /// The reference of the login; `nil` for a credential that came without one.
    package var reference: PageReference?
    /// The time at which the account was decided to be usable, in seconds since 1970; `nil` if it has none.
    package var decidedAt: Int64?
    /// The names of the resources for which the app asked at the start (RFC 8707).
    package var resources: [String]
    /// The `sid` of the provider's session in which the user signed in to an account, at most 255 bytes; `nil` if the
    /// provider named none. The app does not get it.
    package var providerSession: String?

    /// Creates a record.
    package init(
        clientID: String,
        redirectURI: String,
        codeChallenge: [UInt8]?,
        issuer: String,
        scopes: GrantedScopes = .none,
        claims: JSONObjectText,
        upstream: JSONObjectText?,
        user: JSONObject? = nil,
        reference: PageReference? = nil,
        decidedAt: Int64? = nil,
        resources: [String] = [],
        providerSession: String? = nil
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.issuer = issuer
        self.scopes = scopes
        self.claims = claims
        self.upstream = upstream
        self.user = user
        self.reference = reference
        self.decidedAt = decidedAt
        self.resources = resources
        self.providerSession = providerSession
    }

    /// The maximum length of a record, in bytes: 64 KB for an entry of a store, minus the additions of sealing and
    /// delivery.
    static let longest = 63 * 1024

    /// Whether a store accepts the record. The long members are measured without creating the text of the record.
    var isStorable: Bool {
        claims.bytes.count + (upstream?.bytes.count ?? 0) + Self.longestRest <= Self.longest
            || encoded.count <= Self.longest
    }

    /// The maximum length of all other members together, which is more than a typical record has.
    private static let longestRest = 8 * 1024

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(counted: clientID.utf8)
        writer.write(counted: redirectURI.utf8)
        writer.write(counted: codeChallenge ?? [])
        writer.write(counted: issuer.utf8)
        scopes.write(to: &writer)
        writer.write(long: claims.bytes)
        var members: UInt8 = 0
        if upstream != nil { members |= 1 }
        if user != nil { members |= 2 }
        if codeChallenge == nil { members |= 4 }
        if reference != nil { members |= 8 }
        if decidedAt != nil { members |= 16 }
        if !resources.isEmpty { members |= 32 }
        if providerSession != nil { members |= 64 }
        writer.write(members)
        if let upstream { writer.write(long: upstream.bytes) }
        if let user { writer.write(long: user.serialized()) }
        if let reference { writer.write(raw: reference.description.utf8) }
        if let decidedAt { writer.write(decidedAt) }
        if !resources.isEmpty { writer.write(list: resources) }
        if let providerSession { writer.write(counted: providerSession.utf8) }
        return writer.bytes
    }

    init?(_ encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let clientID = reader.readCountedString(), let redirectURI = reader.readCountedString(),
            let codeChallenge = reader.readCounted(), let issuer = reader.readCountedString(),
            let scopes = GrantedScopes(from: &reader),
            let claims = reader.readLong().flatMap(JSONObjectText.init(bytes:)), let members = reader.readByte(),
            (members & 4 != 0) == codeChallenge.isEmpty
        else { return nil }
        var upstream: JSONObjectText?
        if members & 1 != 0 {
            guard let text = reader.readLong().flatMap(JSONObjectText.init(bytes:)) else { return nil }
            upstream = text
        }
        var user: JSONObject?
        if members & 2 != 0 {
            guard let object = reader.readLong().flatMap(JSONObjectText.init(bytes:))?.object else { return nil }
            user = object
        }
        var reference: PageReference?
        if members & 8 != 0 {
            guard let read = reader.read(PageReference.length).flatMap(PageReference.init(characters:)) else {
                return nil
            }
            reference = read
        }
        var decidedAt: Int64?
        if members & 16 != 0 {
            guard let read = reader.readInt64() else { return nil }
            decidedAt = read
        }
        var resources: [String] = []
        if members & 32 != 0 {
            guard let read = reader.readList() else { return nil }
            resources = read
        }
        var providerSession: String?
        if members & 64 != 0 {
            guard let read = reader.readCountedString() else { return nil }
            providerSession = read
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            clientID: clientID, redirectURI: redirectURI, codeChallenge: members & 4 != 0 ? nil : codeChallenge,
            issuer: issuer, scopes: scopes, claims: claims, upstream: upstream, user: user, reference: reference,
            decidedAt: decidedAt, resources: resources, providerSession: providerSession)
    }
}

extension HandOffRecord {
    /// The `sub` of the user and the identifier of the account, for the audit, each `nil` if the claims have none. The
    /// claims are read anew.
    package var person: (subject: String?, account: String?) {
        let claims = claims.object
        return (
            claims?["sub"]?.text?.visibleASCII(atMost: 64),
            // That of an imported account is any text.
            claims?["account"]?.text?.makeString()
        )
    }
}
