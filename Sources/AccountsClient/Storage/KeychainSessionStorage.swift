// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
    public import Foundation
    import Security

    /// A storage in the keychain. The session is readable after the first unlock, stays on this device, and is in no
    /// backup that another device could restore.
    public struct KeychainSessionStorage: SessionStorage {
        /// An error of the keychain.
        public struct KeychainError: Error, Hashable, CustomStringConvertible {
            /// The status, as of `SecItemCopyMatching`.
            public let status: Int32

            public var description: String { "the keychain responded with the status \(status)" }
        }

        private let service: String
        private let account: String

        /// Creates a storage, which is the app's own: an extension with a client of its own would bring back a user
        /// who signed out.
        ///
        /// - Parameters:
        ///   - service: The service of the keychain item.
        ///   - account: The account of the keychain item. Clients of several servers use several.
        public init(service: String = "AccountsClient", account: String = "session") {
            self.service = service
            self.account = account
        }

        public func load() async throws -> Data? {
            var query = item
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw KeychainError(status: status) }
            return data
        }

        public func save(_ session: Data) async throws {
            let value: [CFString: Any] = [kSecValueData: session]
            var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                var new = item
                new[kSecValueData] = session
                new[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                status = SecItemAdd(new as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw KeychainError(status: status) }
        }

        public func clear() async throws {
            let status = SecItemDelete(item as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainError(status: status) }
        }

        private var item: [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
                kSecUseDataProtectionKeychain: true,
            ]
        }
    }
#endif
