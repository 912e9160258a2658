// SPDX-License-Identifier: Apache-2.0

extension NativeApp {
    /// A description of the bundle ID. It completes the sentence "expected …".
    package static let bundleIDExpectation =
        "1 to 155 characters of A-Z, a-z, 0-9, - and ., beside google-app-id or oauth-client-id"
    /// A description of the Google app ID. It completes the sentence "expected …".
    package static let googleAppIDExpectation =
        "the GOOGLE_APP_ID of the SDK's configuration, such as 1:1234567890:ios:0a1b2c3d; beside bundle-id either this or "
        + "oauth-client-id"
    /// A description of the OAuth client ID. It completes the sentence "expected …".
    package static let oauthClientIDExpectation =
        "2 or more parts of a-z, 0-9 and - between dots, the last one beginning with a letter, at most 128 characters"
    /// A description of the name of a package. It completes the sentence "expected …".
    package static let packageNameExpectation =
        "2 or more parts of A-Z, a-z, 0-9 and _ between dots, each beginning with a letter, at most 223 characters, "
        + "beside certificate-sha1"
    /// A description of the certificates. It completes the sentence "expected …".
    package static let certificateExpectation =
        "SHA-1 hashes of 40 hexadecimal digits, with or without colons, each given once, beside package-name"

    /// Whether a text may be a bundle ID.
    package static func isBundleID(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }

    /// Whether a text may be a Google app ID of an app on iOS. It becomes a part of a URL scheme (RFC 3986 section 3.1).
    package static func isGoogleAppID(_ text: String) -> Bool {
        let parts = parts(of: text, between: UInt8(ascii: ":"))
        guard text.utf8.count <= 128, parts.count == 4, parts.allSatisfy({ !$0.isEmpty }) else { return false }
        return parts[0].allSatisfy(isDigit) && parts[1].allSatisfy(isDigit)
            && parts[2].elementsEqual("ios".utf8)
            && parts[3].allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
    }

    /// Whether a text may be an OAuth client ID. Its parts in the opposite order are a URL scheme (RFC 3986 section 3.1).
    package static func isOAuthClientID(_ text: String) -> Bool {
        let parts = parts(of: text, between: UInt8(ascii: "."))
        guard text.utf8.count <= 128, parts.count >= 2, let first = parts.last?.first, isLower(first) else {
            return false
        }
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { isLower($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Whether a text may be the name of a package on Android.
    package static func isPackageName(_ text: String) -> Bool {
        let parts = parts(of: text, between: UInt8(ascii: "."))
        return text.utf8.count <= 223 && parts.count >= 2
            && parts.allSatisfy { part in
                guard let first = part.first, isLetter(first) else { return false }
                return part.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
            }
    }

    /// Whether texts may be the SHA-1 of certificates, each given once.
    package static func areCertificates(_ texts: [String]) -> Bool {
        let certificates = texts.compactMap { certificate($0) }
        return certificates.count == texts.count && Set(certificates).count == texts.count
    }

    /// Returns a configured SHA-1 as the SDK sends it; `nil` if it is none.
    static func certificate(_ text: String) -> String? {
        var digits: [UInt8] = []
        for (position, byte) in text.utf8.prefix(60).enumerated() {
            if byte == UInt8(ascii: ":"), text.utf8.count == 59, position % 3 == 2 { continue }
            guard isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte) else { return nil }
            // The digits have this bit already.
            digits.append(byte | 0x20)
        }
        guard digits.count == 40, text.utf8.count == 40 || text.utf8.count == 59 else { return nil }
        return String(validating: digits, as: UTF8.self)
    }

    /// What is wrong with what an app is named by. Values of another kind of app are refused, and so is a part of what a
    /// result needs without the rest.
    func errors(of app: SDKApp) -> [SDKAppError] {
        var codes: [SDKAppError.Code] = []
        if app.kind == .ios {
            codes += iosErrors
        } else {
            if bundleID != nil { codes.append(.bundleIDOfOtherKind) }
            if googleAppID != nil { codes.append(.googleAppIDOfOtherKind) }
            if oauthClientID != nil { codes.append(.oauthClientIDOfOtherKind) }
        }
        if app.kind != .android {
            if packageName != nil { codes.append(.packageNameOfOtherKind) }
            if !certificateSHA1.isEmpty { codes.append(.certificateOfOtherKind) }
        } else if packageName == nil ? !certificateSHA1.isEmpty : packageName.map(Self.isPackageName) != true {
            codes.append(.invalidPackageName)
        }
        return codes.map { SDKAppError($0, of: app.name) }
            + (app.kind == .android ? certificateErrors(of: app.name) : [])
    }

    private var iosErrors: [SDKAppError.Code] {
        var codes: [SDKAppError.Code] = []
        let hasScheme = googleAppID != nil || oauthClientID != nil
        if bundleID == nil ? hasScheme : bundleID.map(Self.isBundleID) != true { codes.append(.invalidBundleID) }
        if googleAppID == nil ? bundleID != nil && !hasScheme : googleAppID.map(Self.isGoogleAppID) != true {
            codes.append(.invalidGoogleAppID)
        }
        if let oauthClientID, !Self.isOAuthClientID(oauthClientID) { codes.append(.invalidOAuthClientID) }
        return codes
    }

    private func certificateErrors(of app: String) -> [SDKAppError] {
        guard packageName == nil || !certificateSHA1.isEmpty else { return [SDKAppError(.invalidCertificate, of: app)] }
        var known: Set<String> = []
        var errors: [SDKAppError] = []
        for (index, text) in certificateSHA1.enumerated() {
            guard let certificate = Self.certificate(text), known.insert(certificate).inserted else {
                errors.append(SDKAppError(.invalidCertificate, of: app, at: index + 1))
                continue
            }
        }
        return errors
    }

    private static func parts(of text: String, between separator: UInt8) -> [Substring.UTF8View] {
        text.utf8.split(separator: separator, omittingEmptySubsequences: false)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
