// SPDX-License-Identifier: Apache-2.0

#if Server
    import NIOCore
    import OpenIDConnect
    import OpenIDRelyingParty
    import Synchronization

    /// A transport that keeps what came last for each document, and otherwise is the one that it wraps: what a relying
    /// party makes of a response no longer has its time, nor what was wrong with it.
    final class RecordingTransport: ProviderTransport {
        /// A document as it came.
        struct Document: Sendable {
            /// The time by the server's clock, in seconds since 1970; `nil` if it did not say.
            let serverTime: Int64?
            /// The time by this machine's clock.
            let receivedAt: Int64
            let body: [UInt8]
        }

        private let transport: any ProviderTransport
        private let clock: any UnixClock
        private let documents = Mutex<[String: Document]>([:])

        init(_ transport: any ProviderTransport, clock: any UnixClock) {
            self.transport = transport
            self.clock = clock
        }

        /// The document at a URL; `nil` if there was no response.
        func document(at url: String) -> Document? { documents.withLock { $0[url] } }

        func execute(
            _ request: ProviderRequest, on eventLoop: any EventLoop
        ) -> EventLoopFuture<ProviderResponse> {
            let response = transport.execute(request, on: eventLoop)
            guard request.content == nil else { return response }
            return response.map { [self] response in
                let document = Document(
                    serverTime: response.serverTime, receivedAt: clock.now(),
                    body: Array(response.body.readableBytesView))
                documents.withLock { $0[request.url.text] = document }
                return response
            }
        }
    }
#endif
