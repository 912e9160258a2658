// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerValkey

/// What must hold of the keys about sentinels.
extension StoreConfiguration {
    /// The minimum number of sentinels: of fewer, no majority remains when one is lost.
    private static let fewestSentinels = 3
    /// The maximum number of sentinels. All are asked at each new connection.
    private static let mostSentinels = 16

    static let sentinelsTakes = "3 to 16 different addresses, each host:port or [address]:port"
    static let primaryNameTakes = "1 to 128 visible ASCII characters, with auth.store.valkey.sentinels"

    /// What was expected of the sentinels; `nil` if they will do.
    var sentinelsError: String? {
        let texts = valkey.sentinels
        guard !texts.isEmpty else { return nil }
        guard kind == .valkey else { return "no value where auth.store.kind is not valkey" }
        let addresses = texts.compactMap { text in text.hasPrefix("/") ? nil : ValkeyAddress(text) }
        guard (Self.fewestSentinels...Self.mostSentinels).contains(texts.count), addresses.count == texts.count,
            Set(addresses).count == addresses.count
        else { return Self.sentinelsTakes }
        return valkey.tls || addresses.allSatisfy(\.mayBePrivate)
            ? nil : "addresses of this machine or private ones; others need auth.store.valkey.tls"
    }

    /// What was expected of the name of the primary; `nil` if it will do.
    var primaryNameError: String? {
        guard let name = valkey.primaryName else { return valkey.sentinels.isEmpty ? nil : Self.primaryNameTakes }
        let isName = (1...128).contains(name.utf8.count) && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isName && !valkey.sentinels.isEmpty ? nil : Self.primaryNameTakes
    }

    /// What was expected of a value that is for sentinels alone; `nil` if there is none, or there are sentinels.
    func needsSentinels(_ hasValue: Bool) -> String? {
        hasValue && valkey.sentinels.isEmpty ? "no value without auth.store.valkey.sentinels" : nil
    }
}
