// SPDX-License-Identifier: Apache-2.0

/// `server.provider-transport`: the transport of the broker's requests to providers. All keep the same rules.
public enum ProviderTransportKind: String, Sendable, Hashable, CaseIterable {
    /// `async-http-client`: AsyncHTTPClient.
    case asyncHTTPClient = "async-http-client"
    /// `nio`, the default: HTTP/1.1 connections of the broker's own, at a lower cost per sign-in. Requests through a proxy
    /// go through AsyncHTTPClient all the same.
    case nio
}
