// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Exchanges over a `URLSession` of its own, whose delegate refuses redirects and long bodies.
final class URLSessionExchange: Exchange {
    /// The maximum number of parts of a body that wait to be read. A body that is not too long has fewer.
    private static let maximumWaitingParts = 1024

    private let session: URLSession
    private let timeLimit: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - configuration: The configuration that an app gives. It says how requests travel, not what they carry.
    ///   - timeLimit: Returns when an exchange has taken too long. It is another one in tests only.
    init(
        configuration: URLSessionConfiguration,
        timeLimit: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: .seconds(AccountServer.timeout))
        }
    ) {
        session = URLSession(
            configuration: Self.adapted(configuration), delegate: ExchangeForwarder(), delegateQueue: nil)
        self.timeLimit = timeLimit
    }

    /// Returns a copy of a configuration that keeps nothing, adds nothing to a request, and gives up in time.
    static func adapted(_ given: URLSessionConfiguration) -> URLSessionConfiguration {
        let configuration = given.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.timeoutIntervalForResource = AccountServer.timeout
        #if !canImport(FoundationNetworking)
            // Elsewhere there is no such property, and nothing waits.
            configuration.waitsForConnectivity = false
        #endif
        // On Linux the property of the request that forbids cookies has no effect.
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }

    deinit {
        // The session keeps its delegate and itself until then.
        session.finishTasksAndInvalidate()
    }

    func response(to request: URLRequest) async throws -> WireResponse {
        let (parts, continuation) = AsyncThrowingStream.makeStream(
            of: Data.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(Self.maximumWaitingParts))
        #if canImport(FoundationNetworking)
            // Its timer ends the process if it fires while a redirect waits for its answer. The limit below comes first.
            var request = request
            request.timeoutInterval = 2 * AccountServer.timeout
        #endif
        let task = session.dataTask(with: request)
        let delegate = ExchangeDelegate(continuation)
        task.delegate = delegate
        continuation.onTermination = { termination in
            if case .cancelled = termination { delegate.cancel(task) }
        }
        // The limits of the configuration are not enough: on Linux the one of a whole exchange has no effect, and that
        // of a request begins anew with each byte.
        let limit = Task { [timeLimit] in
            do { try await timeLimit() } catch { return }
            continuation.finish(throwing: URLError(.timedOut))
        }
        defer { limit.cancel() }
        task.resume()
        let body: Data
        do {
            body = try await Self.collect(parts)
        } catch {
            delegate.cancel(task)
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
