// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Exchanges over a `URLSession` of its own, whose delegate refuses redirects and long bodies.
final class URLSessionExchange: Exchange {
    /// The maximum number of parts of a body that wait to be read. A body that is not too long has fewer.
    private static let maximumWaitingParts = 1024

    /// The time limit of an exchange as a whole, in seconds: everybody who asks for an ID token may wait for it.
    private static let timeout = 60.0

    private let session: URLSession

    init(configuration given: URLSessionConfiguration) {
        // An app's configuration says how requests travel, not what they carry.
        let configuration = given.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.timeoutIntervalForResource = Self.timeout
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: ExchangeForwarder(), delegateQueue: nil)
    }

    deinit {
        // The session keeps its delegate and itself until then.
        session.finishTasksAndInvalidate()
    }

    func response(to request: URLRequest) async throws -> WireResponse {
        let (parts, continuation) = AsyncThrowingStream.makeStream(
            of: Data.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(Self.maximumWaitingParts))
        let task = session.dataTask(with: request)
        task.delegate = ExchangeDelegate(continuation)
        continuation.onTermination = { termination in
            if case .cancelled = termination { task.cancel() }
        }
        task.resume()
        let body: Data
        do {
            body = try await Self.collect(parts)
        } catch {
            task.cancel()
            throw error
        }
        guard let response = task.response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return WireResponse(status: response.statusCode, body: body)
    }

    private static func collect(_ parts: AsyncThrowingStream<Data, any Error>) async throws -> Data {
        var body = Data()
        for try await part in parts {
            guard part.count <= WireResponse.maximumBytes - body.count else { throw ResponseTooLong() }
            body.append(part)
        }
        // The parts end without an error where the task that waits for them is canceled.
        try Task.checkCancellation()
        return body
    }
}
