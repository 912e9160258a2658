// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of one task: it hands on the parts of the body, and follows no redirect.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
    private let parts: AsyncThrowingStream<Data, any Error>.Continuation
    #if canImport(FoundationNetworking)
        private let order = RedirectOrder()
    #endif

    init(_ parts: AsyncThrowingStream<Data, any Error>.Continuation) {
        self.parts = parts
    }

    /// Cancels the task whose delegate this is.
    func cancel(_ task: URLSessionTask) {
        #if canImport(FoundationNetworking)
            order.cancel { task.cancel() }
        #else
            task.cancel()
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself becomes the response, which is none that is expected.
        #if canImport(FoundationNetworking)
            order.redirect { completionHandler(nil) }
        #else
            completionHandler(nil)
        #endif
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard response.expectedContentLength <= Int64(WireResponse.maximumBytes) else {
            parts.finish(throwing: ResponseTooLong())
            return completionHandler(.cancel)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if case .dropped = parts.yield(data) { parts.finish(throwing: ResponseTooLong()) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        parts.finish(throwing: error)
    }
}

#if canImport(FoundationNetworking)
    /// The delegate of the session. Apple's systems call the delegate of a task; swift-corelibs-foundation calls that
    /// of the session for what arrives, and so it is handed on here.
    final class ExchangeForwarder: NSObject, URLSessionDataDelegate {
        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            guard let delegate = dataTask.delegate as? ExchangeDelegate else { return completionHandler(.cancel) }
            delegate.urlSession(
                session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            (dataTask.delegate as? ExchangeDelegate)?.urlSession(session, dataTask: dataTask, didReceive: data)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            (task.delegate as? ExchangeDelegate)?.urlSession(session, task: task, didCompleteWithError: error)
        }
    }
#else
    /// The delegate of the session, to which nothing is left: Apple's systems call the delegate of each task.
    final class ExchangeForwarder: NSObject, URLSessionDelegate {}
#endif
