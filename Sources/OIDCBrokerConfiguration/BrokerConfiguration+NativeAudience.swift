// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// A client ID that an app itself has at one provider: an entry of `auth.app.<name>.native-audiences`, written as
    /// `provider:audience`.
    ///
    /// It does not apply to other providers: if clients choose their own client IDs, any client can register the same
    /// one.
    public struct NativeAudience: Sendable, Hashable, CustomStringConvertible {
        /// The id or the name of the provider.
        public var provider: String
        /// The client ID at the provider, such as Apple's bundle ID, which is the audience of the app's ID tokens: 1 to
        /// 256 visible ASCII characters.
        public var audience: String

        /// Creates the audience of an app at a provider.
        public init(provider: String, audience: String) {
            self.provider = provider
            self.audience = audience
        }

        /// Creates an audience from an entry of the configuration, which is split at its first colon: an audience may
        /// contain colons, a provider's id cannot. A missing part is empty and is found by the validation.
        package init(entry: String) {
            let parts = entry.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                self.init(provider: "", audience: entry)
                return
            }
            self.init(provider: String(Substring(parts[0])), audience: String(Substring(parts[1])))
        }

        /// The entry as it is written in the configuration.
        public var description: String { "\(provider):\(audience)" }

        /// Returns whether the audience is one of that provider.
        package func isAt(_ provider: Provider) -> Bool {
            self.provider == provider.id || self.provider == provider.name
        }
    }
}

extension BrokerConfiguration.App {
    /// Returns the client IDs that the app itself has at a provider.
    package func nativeAudiences(at provider: BrokerConfiguration.Provider) -> [String] {
        nativeAudiences.filter { $0.isAt(provider) }.map(\.audience)
    }
}
