// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// Character rules that several keys share.
enum ConfigurationSyntax {
    /// Returns whether a text is an absolute path of unreserved characters (RFC 3986 section 2.3): at least one
    /// segment, none of them empty, `.` or `..`, and at most 256 bytes. Such a path is the same in every encoding, so
    /// that its bytes can be compared.
    static func isPlainPath(_ path: String) -> Bool {
        guard path.utf8.first == 0x2F, path.utf8.count <= 256 else { return false }
        return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy { segment in
            !segment.isEmpty && segment != "." && segment != ".." && segment.utf8.allSatisfy(isUnreserved)
        }
    }

    /// Returns whether a text is a scope-token (RFC 6749 section 3.3).
    static func isScopeToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 256
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    /// Returns whether texts are scope-tokens without duplicates.
    static func areScopes(_ texts: [String]) -> Bool {
        Set(texts).count == texts.count && texts.allSatisfy(isScopeToken)
    }

    /// Returns whether texts are names of parameters that are not reserved by the protocol, without duplicates.
    static func areFreeParameters(_ names: [String]) -> Bool {
        Set(names).count == names.count
            && names.allSatisfy { isParameterName($0) && !AuthorizationRequest.isReserved($0) }
    }

    /// Returns whether a text is 1 to 1,024 visible ASCII characters or spaces (VSCHAR of RFC 6749 appendix A), without
    /// a space at either end, which would be a typing error.
    static func isVisible(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 1024 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && text.utf8.first != 0x20 && text.utf8.last != 0x20
    }

    /// Returns why a text is not visible (``isVisible(_:)``), without a part of it; `nil` if it is.
    static func invisibleReason(_ text: String) -> String? {
        if text.isEmpty { return "it is empty" }
        if text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { return "it has a line break: put it in one line" }
        if text.utf8.first == 0x20 || text.utf8.last == 0x20 { return "it begins or ends with a space" }
        if text.utf8.count > 1024 { return "it has more than 1024 characters" }
        return isVisible(text) ? nil : "it has a character that is not visible ASCII"
    }

    /// Returns whether a text can be the name of a parameter: visible ASCII without space, `=`, `&`, `#` and `%`, at
    /// most 128 bytes.
    static func isParameterName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 128
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !Array("=&#%".utf8).contains($0) }
    }

    /// Returns whether a text can be a provider ID: 1 to 128 unreserved characters.
    static func isProviderID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 128 && text.utf8.allSatisfy(isUnreserved)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
