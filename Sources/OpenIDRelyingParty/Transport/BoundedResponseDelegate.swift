// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Collects one response up to a limit.
final class BoundedResponseDelegate: HTTPClientResponseDelegate {
    typealias Response = ProviderResponse

    private let maximumBytes: Int
    private let isDocument: Bool
    private let response = Mutex(ProviderResponse(status: 0, contentType: nil, body: ByteBuffer()))

    private let begun = Mutex(false)

    /// Whether the request was given to a connection.
    var isBegun: Bool { begun.withLock { $0 } }
    /// Whether a response has begun.
    var isAnswered: Bool { response.withLock { $0.status != 0 } }

    /// - Parameter isDocument: whether the response may be kept, and for how long is of interest.
    init(maximumBytes: Int, isDocument: Bool) {
        self.maximumBytes = maximumBytes
        self.isDocument = isDocument
    }

    func didSendRequestHead(task: HTTPClient.Task<Response>, _ head: HTTPRequestHead) {
        begun.withLock { $0 = true }
    }

    func didReceiveHead(task: HTTPClient.Task<Response>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        do {
            let begun = try ProviderResponse(head, isDocument: isDocument, maximumBytes: maximumBytes)
            response.withLock { $0 = begun }
            return task.eventLoop.makeSucceededVoidFuture()
        } catch {
            return task.eventLoop.makeFailedFuture(error)
        }
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Response>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let fits = response.withLock { response in
            guard response.body.readableBytes + buffer.readableBytes <= maximumBytes else { return false }
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
