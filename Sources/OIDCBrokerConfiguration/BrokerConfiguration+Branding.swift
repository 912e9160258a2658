// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Whose pages they are, and how they look, configured by the keys under `auth.branding.`.
    public struct Branding: Sendable, Hashable {
        /// The name of who runs the server; `nil` to show the host of the public URL instead: `operator`.
        public var operatorName: String?
        /// A PNG, JPEG, WebP or SVG image of at most 65,536 bytes, which is part of every page; `nil` for none: `logo`.
        public var logo: [UInt8]?
        /// The color of buttons and links on light pages, as `#rrggbb`; `nil` for the default: `accent-color`.
        public var accentColor: String?
        /// The color of buttons and links on dark pages, as `#rrggbb`; `nil` for the default: `dark-accent-color`.
        public var darkAccentColor: String?
        /// The https URL of the legal notice; `nil` for none: `imprint`.
        public var imprint: String?
        /// The https URL of the privacy notice; `nil` for none: `privacy`.
        public var privacy: String?
        /// Style rules after those of the pages, at most 65,536 bytes; `nil` for none: `stylesheet`. They load nothing,
        /// since the pages' Content-Security-Policy allows no requests.
        public var stylesheet: String?

        /// Creates the default branding.
        public init() {}
    }
}
