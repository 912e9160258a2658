// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The paths of the handler for the SDKs.
struct HandlerPaths: Sendable {
    /// One of the paths.
    enum Path: Sendable, Hashable, CaseIterable {
        /// The broker's own callback path. The broker hands on starts at this path.
        case handler
        /// Where the SDKs begin that believe to speak to an emulator. The path is fixed in the SDKs.
        case emulatorHandler
        /// Where a page claims the result of a redirect.
        case claim
    }

    private let handler: String
    private let claim: String
    private static let emulatorHandler = "/emulator/auth/handler"

    /// - Parameter publicURL: The URL of the broker: its origin and the prefix of its paths.
    init(publicURL: String) {
        let prefix = AbsoluteURL(publicURL)?.path ?? ""
        handler = prefix + "/handler"
        claim = prefix + "/claim"
    }

    /// Returns the path that a request was sent to; `nil` if it is another one.
    func path(_ path: String) -> Path? {
        if path.hasSameBytes(as: handler) { return .handler }
        if path.hasSameBytes(as: Self.emulatorHandler) { return .emulatorHandler }
        return path.hasSameBytes(as: claim) ? .claim : nil
    }
}
