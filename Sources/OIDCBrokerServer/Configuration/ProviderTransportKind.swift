// SPDX-License-Identifier: Apache-2.0

/// The transport of the broker's requests to providers: `server.provider-transport`. All transports enforce the same
/// rules.
public enum ProviderTransportKind: String, Sendable, Hashable, CaseIterable {
    /// The transport of AsyncHTTPClient: `async-http-client`.
    case asyncHTTPClient = "async-http-client"
    /// The transport by the broker's own HTTP/1.1 connections, at a lower cost per sign-in: `nio`, the default.
    /// Requests through a proxy are still sent by AsyncHTTPClient.
    case nio
}
