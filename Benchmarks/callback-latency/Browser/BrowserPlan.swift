// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// The browsers of a measurement, whose connections another process makes.
struct BrowserPlan: Sendable {
    /// Where that process listens.
    let address: SocketAddress
    /// The connections.
    let connections: BrowserConnections

    /// The fields that Chromium sends with a navigation from another site.
    static let fields = [
        HTTP1Message.Field(
            name: "accept",
            value: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8"),
        HTTP1Message.Field(name: "accept-encoding", value: "gzip, deflate, br, zstd"),
        HTTP1Message.Field(name: "accept-language", value: "en-US,en;q=0.9"),
        HTTP1Message.Field(name: "priority", value: "u=0, i"),
        HTTP1Message.Field(
            name: "sec-ch-ua", value: "\"Chromium\";v=\"142\", \"Not_A Brand\";v=\"99\""),
        HTTP1Message.Field(name: "sec-ch-ua-mobile", value: "?0"),
        HTTP1Message.Field(name: "sec-ch-ua-platform", value: "\"Linux\""),
        HTTP1Message.Field(name: "sec-fetch-dest", value: "document"),
        HTTP1Message.Field(name: "sec-fetch-mode", value: "navigate"),
        HTTP1Message.Field(name: "sec-fetch-site", value: "cross-site"),
        HTTP1Message.Field(name: "upgrade-insecure-requests", value: "1"),
        HTTP1Message.Field(
            name: "user-agent",
            value: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
                + "Safari/537.36"),
    ]
}
