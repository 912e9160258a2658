// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestingSupport

@testable import AccountsClient

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// A task is redirected or canceled, and never both.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct RedirectOrderTests {
        private enum Step { case redirect, cancel }

        @Test(arguments: [
            [Step.redirect, .cancel], [.cancel, .redirect], [.cancel, .cancel], [.redirect, .redirect],
        ])
        private func `what is first happens, and nothing after it`(steps: [Step]) {
            let order = RedirectOrder()
            var happened: [Step] = []
            for step in steps {
                switch step {
                case .redirect: order.redirect { happened.append(.redirect) }
                case .cancel: order.cancel { happened.append(.cancel) }
                }
            }
            #expect(happened == Array(steps.prefix(1)))
        }

        @Test func `a task that is canceled while it is redirected does not end the process`() async throws {
            let redirect = "HTTP/1.1 302 Found\r\nLocation: /other\r\ncontent-length: 0\r\n\r\n"
            try await CannedServer.run(redirect) { server in
                let exchange = URLSessionExchange(configuration: .ephemeral)
                for round in 0..<100 {
                    let before = server.requests.count
                    let exchanged = Task { try await exchange.response(to: URLRequest(url: server.url)) }
                    // The redirect is on its way when the server has read the request, and is canceled sooner or later.
                    while server.requests.count == before {
                        try Task.checkCancellation()
                        await Task.yield()
                    }
                    for _ in 0..<(round % 20) * 50 { await Task.yield() }
                    exchanged.cancel()
                    switch await exchanged.result {
                    case .success(let response): #expect(response.status == 302)
                    case .failure(let error):
                        #expect(error is CancellationError || (error as? URLError)?.code == .cancelled)
                    }
                }
                #expect(server.requests.count == 100)
            }
        }
    }
#endif
