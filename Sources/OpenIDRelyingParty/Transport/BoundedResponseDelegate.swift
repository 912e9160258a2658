// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// A delegate that collects one response up to a size limit.
final class BoundedResponseDelegate: HTTPClientResponseDelegate {
    typealias Response = ProviderResponse

    private let request: ProviderRequest
    private let response = Mutex(ProviderResponse(status: 0, contentType: nil, body: ByteBuffer()))

    private let begun = Mutex(false)

    /// Whether the request was passed to a connection.
    var isBegun: Bool { begun.withLock { $0 } }
    /// Whether a response has begun.
    var isAnswered: Bool { response.withLock { $0.status != 0 } }

    /// Creates a delegate for the response to a request.
    init(_ request: ProviderRequest) {
        self.request = request
    }

    func didSendRequestHead(task: HTTPClient.Task<Response>, _ head: HTTPRequestHead) {
        begun.withLock { $0 = true }
    }

    func didReceiveHead(task: HTTPClient.Task<Response>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        do {
            let begun = try ProviderResponse(head, to: request)
            response.withLock { $0 = begun }
            return task.eventLoop.makeSucceededVoidFuture()
        } catch {
            return task.eventLoop.makeFailedFuture(error)
        }
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Response>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let fits = response.withLock { response in
            guard response.body.readableBytes + buffer.readableBytes <= request.maximumResponseBytes else {
                return false
            }
            if response.body.readableBytes == 0 {
                response.body = buffer
            } else {
                response.body.writeImmutableBuffer(buffer)
            }
            return true
        }
        return fits
            ? task.eventLoop.makeSucceededVoidFuture()
            : task.eventLoop.makeFailedFuture(ProviderTransportError.tooLarge)
    }

    func didFinishRequest(task: HTTPClient.Task<Response>) throws -> Response {
        response.withLock { $0 }
    }
}
