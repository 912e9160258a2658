// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// A client id that an app itself has at one provider: an entry of `auth.app.<name>.native-audiences`, which reads
    /// `provider:audience`.
    ///
    /// It says nothing about other providers: where clients choose their own client ids, anybody can register the same.
    public struct NativeAudience: Sendable, Hashable, CustomStringConvertible {
        /// The id or the name of the provider.
        public var provider: String
        /// The client id there, such as Apple's bundle id: the audience of the app's ID tokens; 1 to 256 visible ASCII
        /// characters.
        public var audience: String

        /// The audience of an app at a provider.
        public init(provider: String, audience: String) {
            self.provider = provider
            self.audience = audience
        }

        /// An entry as the configuration has it, split at its first colon: an audience may have more of them, a
        /// provider's id has none. What is missing stays empty for the rules to find.
        init(entry: String) {
            let parts = entry.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                self.init(provider: "", audience: entry)
                return
            }
            self.init(provider: String(Substring(parts[0])), audience: String(Substring(parts[1])))
        }

        /// The entry in the configuration.
        public var description: String { "\(provider):\(audience)" }

        /// Whether it is one of that provider.
        func isAt(_ provider: Provider) -> Bool {
            self.provider == provider.id || self.provider == provider.name
        }
    }
}

extension BrokerConfiguration.App {
    /// The client ids that the app itself has at one provider.
    func nativeAudiences(at provider: BrokerConfiguration.Provider) -> [String] {
        nativeAudiences.filter { $0.isAt(provider) }.map(\.audience)
    }
}
