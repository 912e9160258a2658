// SPDX-License-Identifier: Apache-2.0

/// `server.provider-transport`: what carries the broker's requests to providers. Both keep the same rules.
public enum ProviderTransportKind: String, Sendable, Hashable, CaseIterable {
    /// `async-http-client`, the default: AsyncHTTPClient, which is what most servers trust already.
    case asyncHTTPClient = "async-http-client"
    /// `nio`: connections of the broker's own, measured at about 50 us of CPU less per sign-in. HTTP/1.1 only; requests
    /// through a proxy, and webhooks, go through AsyncHTTPClient all the same.
    case nio

    /// What the key takes; completes the sentence "expected …".
    static let expectation = allCases.map(\.rawValue).joined(separator: " or ")
}
