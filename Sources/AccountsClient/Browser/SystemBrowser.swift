// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
    public import AuthenticationServices
    public import Foundation

    /// The browser of the system, over a window of the app (`ASWebAuthenticationSession`). It shares cookies with
    /// Safari, so that a user who is signed in to the provider there need not sign in again.
    @MainActor
    public final class SystemBrowser: NSObject, SignInBrowser, ASWebAuthenticationPresentationContextProviding {
        private let window: ASPresentationAnchor

        /// Creates a browser.
        ///
        /// - Parameter window: The window over which it is shown.
        public init(over window: ASPresentationAnchor) {
            self.window = window
        }

        /// Shows a page. Canceling the task closes it.
        ///
        /// - Throws: `CancellationError`, or an `ASWebAuthenticationSessionError` if the browser cannot be shown.
        public func open(_ page: URL, until scheme: String) async throws -> URL? {
            let (links, continuation) = AsyncThrowingStream.makeStream(of: URL.self, throwing: (any Error).self)
            // The system may call it on any thread.
            let session = ASWebAuthenticationSession(url: page, callbackURLScheme: scheme) { @Sendable link, error in
                if let link { continuation.yield(link) }
                continuation.finish(throwing: link == nil ? error : nil)
            }
            session.presentationContextProvider = self
            guard session.start() else { throw ASWebAuthenticationSessionError(.presentationContextInvalid) }
            do {
                for try await link in links { return link }
            } catch let error as ASWebAuthenticationSessionError where error.code == .canceledLogin {
                return nil
            }
            // The links end without one where the task is canceled.
            session.cancel()
            throw CancellationError()
        }

        public nonisolated func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
            // The system asks on the main thread.
            MainActor.assumeIsolated { window }
        }
    }
#endif
