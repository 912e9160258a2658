// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OIDCBrokerConfiguration

/// The SDK apps of a configuration: which one an API key names, and whether pages of an origin may use any of them.
package struct SDKApps: Sendable {
    /// The apps, in the order of the configuration.
    package let all: [SDKApp]
    /// The position of the app of each API key. Keys are compared by their bytes.
    private let positions: [WireText: Int]

    /// Creates the apps of a configuration, which should have no errors: of two apps with one API key the first has it.
    package init(_ apps: [SDKApp]) {
        all = apps
        positions = Dictionary(
            apps.enumerated().map { (WireText($0.element.apiKey), $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the app that a received API key names; `nil` if it names none.
    package func app(forKey apiKey: WireText) -> SDKApp? {
        // Anything longer is no key, and need not be hashed.
        guard SDKApp.apiKeyLengths.contains(apiKey.utf8.count) else { return nil }
        return positions[apiKey].map { all[$0] }
    }

    /// Returns an app by its name in the configuration; `nil` if there is none.
    func app(named name: String) -> SDKApp? { all.first { $0.name.utf8.elementsEqual(name.utf8) } }

    /// Whether pages of an origin may use any of the apps, which a preflight request goes by.
    package func allow(_ origin: WebOrigin) -> Bool {
        all.contains { $0.allows(origin) }
    }

    /// What is wrong with apps, each by itself and together.
    /// - Parameters:
    ///   - apps: The apps.
    ///   - providerNames: The names of the providers in the configuration.
    ///   - providerIDs: Their IDs, by which a native audience may name its provider as well.
    ///   - takenAudiences: The audiences that no SDK app may have: the native audiences of the other apps, and the client
    ///     IDs of the providers.
    package static func errors(
        in apps: [SDKApp], providerNames: Set<String>, providerIDs: Set<String>, takenAudiences: Set<String>
    ) -> [SDKAppError] {
        var errors: [SDKAppError] = []
        var names: Set<String> = []
        var apiKeys: Set<String> = []
        var audiences = takenAudiences
        let providers = providerNames.union(providerIDs)
        for app in apps {
            errors += app.errors
            if !names.insert(app.name).inserted { errors.append(SDKAppError(.duplicateName, of: app.name)) }
            if !apiKeys.insert(app.apiKey).inserted { errors.append(SDKAppError(.duplicateAPIKey, of: app.name)) }
            for (index, native) in app.nativeAudiences.enumerated() {
                // An audience identifies the app that a token was issued for, whatever the provider is: two providers
                // of a configuration can have the same issuer.
                if !audiences.insert(native.audience).inserted {
                    errors.append(SDKAppError(.duplicateNativeAudience, of: app.name, at: index + 1))
                }
                if !native.provider.isEmpty, !providers.contains(native.provider) {
                    errors.append(SDKAppError(.invalidNativeAudience, of: app.name, at: index + 1))
                }
            }
            for (index, name) in (app.providers ?? []).enumerated() where !providerNames.contains(name) {
                errors.append(SDKAppError(.unknownProvider, of: app.name, at: index + 1))
            }
        }
        return errors
    }
}
