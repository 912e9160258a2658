// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OIDCBrokerConfiguration

/// The paths of the broker. It is a class because every request takes it along.
package final class BrokerPaths: Sendable {
    /// The maximum length of a path of the broker, in bytes. Longer paths are not compared.
    package static let longest = 1024

    private let prefix: String
    private let endpoints: [String: EndpointPath]
    private let claimedPrefix: [UInt8]
    private let claimedPaths: [[UInt8]]
    /// All paths that do not depend on names of apps and providers.
    package let all: [String]

    /// Creates the paths.
    /// - Parameters:
    ///   - prefix: The prefix of all endpoints.
    ///   - callbacks: The callback paths of providers that do not use the shared one.
    ///   - metadata: Paths outside of the prefix at which the metadata are too.
    ///   - others: Other paths outside of the prefix that are the broker's.
    package init(prefix: String, callbacks: Set<String>, metadata: [String] = [], others: [String] = []) {
        self.prefix = prefix
        var endpoints = Dictionary(
            EndpointPath.allCases.map { (prefix + $0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
        for path in callbacks { endpoints[path] = .callback }
        for path in metadata { endpoints[path] = .discovery }
        self.endpoints = endpoints
        all = endpoints.keys + others
        claimedPrefix = Array((prefix + "/").utf8)
        claimedPaths = callbacks.union(metadata + others).filter { !$0.hasPrefix(prefix + "/") }.map { Array($0.utf8) }
    }

    /// The path of an endpoint.
    package subscript(endpoint: EndpointPath) -> String { prefix + endpoint.rawValue }

    /// The path at which logins of an app of kind `in-process` begin.
    package func login(app name: String) -> String { prefix + "/login/" + name }

    /// The endpoint at a path of visible ASCII; `nil` if there is none.
    package func endpoint(at path: String) -> EndpointPath? { endpoints[path] }

    /// Whether a raw request target is the broker's: the bytes up to `?`, undecoded.
    package func handles(path: String) -> Bool {
        // On one buffer, since an embedding server asks this for each of its requests.
        path.utf8.withContiguousBytes { handles(bytes: $0) }
    }

    /// Whether a decoded path without a slash at its end is one of the broker's, or its prefix, apart from the case of
    /// letters. The path is in lower case.
    package func overlaps(foldedPath path: [UInt8]) -> Bool {
        func folded(_ bytes: [UInt8]) -> [UInt8] { bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }
        return (path + [UInt8(ascii: "/")]).starts(with: folded(claimedPrefix))
            || claimedPaths.contains { folded($0) == path }
    }

    private func handles(bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.count >= claimedPrefix.count, bytes[..<claimedPrefix.count].elementsEqual(claimedPrefix) {
            return true
        }
        guard !claimedPaths.isEmpty else { return false }
        let plain = bytes.prefix { $0 != UInt8(ascii: "?") }
        return claimedPaths.contains { plain.elementsEqual($0) }
    }
}
