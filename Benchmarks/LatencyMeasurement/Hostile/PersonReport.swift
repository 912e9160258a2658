// SPDX-License-Identifier: Apache-2.0

/// A line of output of `callback-latency person`, which signs in once a second during other load.
package enum PersonReport: Sendable, Hashable {
    /// The target runs, and the first sign-in was verified.
    case ready(port: Int, processID: Int)
    /// A sign-in was verified, with the durations of its callback and of all of it in nanoseconds.
    case signedIn(callback: Int64, whole: Int64)
    /// A sign-in failed. The kind is a short text that contains nothing of the request.
    case failed(String)

    /// The line without its line break.
    package var line: String {
        switch self {
        case .ready(let port, let processID): "ready \(port) \(processID)"
        case .signedIn(let callback, let whole): "ok \(callback) \(whole)"
        case .failed(let kind): "failed " + String(kind.map { $0.isNewline ? " " : $0 })
        }
    }

    /// Parses a line; `nil` if it is not valid.
    package init?(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        switch words.first {
        case "ready":
            guard words.count == 3, let port = Int(words[1]), let processID = Int(words[2]) else { return nil }
            self = .ready(port: port, processID: processID)
        case "ok":
            guard words.count == 3, let callback = Int64(words[1]), let whole = Int64(words[2]) else { return nil }
            self = .signedIn(callback: callback, whole: whole)
        case "failed":
            self = .failed(String(line.dropFirst("failed ".count)))
        default:
            return nil
        }
    }
}
