// SPDX-License-Identifier: Apache-2.0

import JOSE

extension SDKApp {
    /// The maximum length of a native audience, in bytes.
    private static let maximumAudienceLength = 256

    /// What is wrong with the app by itself. What concerns it together with others is found by
    /// ``SDKApps/errors(in:providerNames:providerIDs:takenAudiences:)``.
    package var errors: [SDKAppError] {
        var errors: [SDKAppError] = []
        if !Self.isName(name) { errors.append(SDKAppError(.invalidName, of: name)) }
        if !Self.isAPIKey(apiKey) { errors.append(SDKAppError(.invalidAPIKey, of: name)) }
        if kind != .web, !authorizedDomains.isEmpty {
            errors.append(SDKAppError(.authorizedDomainOfNativeApp, of: name))
        }
        for (index, domain) in authorizedDomains.enumerated() where AuthorizedDomain(domain) == nil {
            errors.append(SDKAppError(.invalidAuthorizedDomain, of: name, at: index + 1))
        }
        for (index, native) in nativeAudiences.enumerated() where !Self.isNativeAudience(native) {
            errors.append(SDKAppError(.invalidNativeAudience, of: name, at: index + 1))
        }
        if providers?.isEmpty == true { errors.append(SDKAppError(.unknownProvider, of: name)) }
        if !Self.nativeMaximumAges.contains(nativeMaximumAge) {
            errors.append(SDKAppError(.invalidNativeMaximumAge, of: name))
        }
        return errors + native.errors(of: self)
    }

    /// Whether a text may be an API key.
    package static func isAPIKey(_ text: String) -> Bool {
        apiKeyLengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    /// Whether a text matches `[a-z][a-z0-9]{0,31}`, as the names of the other apps do.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= 32 else { return false }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }

    private static func isNativeAudience(_ native: NativeAudience) -> Bool {
        !native.provider.isEmpty && !native.audience.isEmpty
            && WireText(native.audience).visibleASCII(atMost: maximumAudienceLength) != nil
    }
}
