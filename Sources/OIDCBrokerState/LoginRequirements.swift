// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OIDCBrokerPages
package import OpenIDConnect

/// What an app asks of one login beyond the usual: how the response comes, which claims, and whose sign-in it must be.
package struct LoginRequirements: Sendable, Hashable {
    /// The response mode of the authorization response.
    package var responseMode: ResponseMode = .query
    /// Whether the claims about the email were requested by name (OpenID Connect Core 1.0 section 5.5).
    package var requestsEmail = false
    /// Whether a claim about the name or the picture was requested by name.
    package var requestsProfile = false
    /// Whether `auth_time` was requested as an essential claim, without which there is no sign-in. A version without such
    /// requests refuses a login with it.
    package var requiresAuthTime = false
    /// The names of the resources for which access tokens were asked (RFC 8707). A version without resources refuses a login
    /// with one.
    package var resources: [String] = []
    /// The language of the pages that the app asked for; `nil` for that of the user agent.
    package var language: Language?
    /// The hash of the subject that must sign in, 16 bytes; `nil` for any subject.
    package private(set) var subjectHash: [UInt8]?
    /// The hash of the app's `state`, 16 bytes, if that is in the login's cookie; otherwise `nil`. A version without such
    /// states refuses a login with it.
    package internal(set) var appStateHash: [UInt8]?

    /// Nothing beyond the usual.
    package static let none = LoginRequirements()

    /// Creates requirements that ask for nothing.
    package init() {}

    /// Requires a subject, as the broker identifies it to apps.
    package mutating func require(subject: String) { subjectHash = Self.hash(of: subject) }

    /// Returns whether a subject may sign in.
    package func allow(subject: String) -> Bool {
        subjectHash.map { ConstantTime.equal($0, Self.hash(of: subject)) } ?? true
    }

    /// The length of a hash, in bytes.
    static let hashLength = 16

    static func hash(of text: String) -> [UInt8] { Array(Hash.sha256(text.utf8)[..<hashLength]) }

    /// Writes the requirements.
    package func write(to writer: inout ByteWriter) {
        var bits: UInt8 = 0
        if responseMode == .fragment { bits |= 1 }
        if responseMode == .formPost { bits |= 2 }
        if requestsEmail { bits |= 4 }
        if requestsProfile { bits |= 8 }
        if subjectHash != nil { bits |= 16 }
        if language != nil { bits |= 32 }
        if appStateHash != nil { bits |= 64 }
        var more: UInt8 = 0
        if requiresAuthTime { more |= 1 }
        if !resources.isEmpty { more |= 2 }
        if more != 0 { bits |= 128 }
        writer.write(bits)
        if more != 0 { writer.write(more) }
        if let language { writer.write(language.rawValue) }
        if let appStateHash { writer.write(raw: appStateHash) }
        if let subjectHash { writer.write(raw: subjectHash) }
        if !resources.isEmpty { writer.write(list: resources) }
    }

    /// Reads requirements; `nil` if they were not written by ``write(to:)``.
    package init?(from reader: inout ByteReader) {
        guard let bits = reader.readByte(), bits & 3 != 3 else { return nil }
        responseMode = bits & 1 != 0 ? .fragment : bits & 2 != 0 ? .formPost : .query
        requestsEmail = bits & 4 != 0
        requestsProfile = bits & 8 != 0
        var more: UInt8 = 0
        if bits & 128 != 0 {
            guard let read = reader.readByte(), 1...3 ~= read else { return nil }
            more = read
        }
        requiresAuthTime = more & 1 != 0
        if bits & 32 != 0 {
            guard let known = reader.readByte().flatMap({ Language(rawValue: $0) }) else { return nil }
            language = known
        }
        if bits & 64 != 0 {
            guard let hash = reader.read(Self.hashLength) else { return nil }
            appStateHash = hash
        }
        if bits & 16 != 0 {
            guard let hash = reader.read(Self.hashLength) else { return nil }
            subjectHash = hash
        }
        guard more & 2 != 0 else { return }
        guard let names = reader.readList() else { return nil }
        resources = names
    }
}
