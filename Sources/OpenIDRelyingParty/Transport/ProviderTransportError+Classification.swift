// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension ProviderTransportError {
    /// Creates the public error for an error of AsyncHTTPClient, NIOSSL or NIO.
    package init(classifying error: any Error) {
        switch error {
        case let known as ProviderTransportError:
            self = known
        case let client as HTTPClientError:
            switch client {
            case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
                self = .timedOut
            case .connectTimeout, .tlsHandshakeTimeout:
                self = .connectTimedOut
            case .httpProxyHandshakeTimeout, .invalidProxyResponse, .proxyAuthenticationRequired,
                .invalidProxyConfiguration:
                self = .proxyRefused
            default: self = .interrupted
            }
        case NIOSSLError.uncleanShutdown:
            self = .interrupted
        case HTTPParserError.headerOverflow:
            self = .tooLarge
        case is HTTPParserError:
            self = .interrupted
        case let io as IOError where io.errnoCode == ECONNRESET || io.errnoCode == EPIPE:
            self = .interrupted
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            self = .handshakeFailed
        case ChannelError.connectTimeout:
            self = .connectTimedOut
        case let connection as NIOConnectionError:
            self.init(connection)
        case let io as IOError:
            self.init(connecting: io)
        default:
            self = .unreachable
        }
    }

    /// Whether the error means that the connection ended, as it does when a server closes one that was idle for long,
    /// and not that the data on it was invalid.
    package static func isEndOfConnection(_ error: any Error) -> Bool {
        switch error {
        case let known as ProviderTransportError: known == .interrupted
        case let client as HTTPClientError: client == .remoteConnectionClosed
        case NIOSSLError.uncleanShutdown, ChannelError.ioOnClosedChannel, ChannelError.eof: true
        case let io as IOError: io.errnoCode == ECONNRESET || io.errnoCode == EPIPE
        default: false
        }
    }

    /// Creates the error for a host without a reachable address.
    private init(_ failure: NIOConnectionError) {
        let errors = failure.connectionErrors.map(\.error)
        guard !errors.isEmpty else {
            if let known = (failure.dnsAAAAError ?? failure.dnsAError) as? ProviderTransportError {
                self = known
                return
            }
            let isUnresolved = failure.dnsAError != nil || failure.dnsAAAAError != nil
            self = isUnresolved ? .nameNotFound : .unreachable
            return
        }
        // A refused connection is more informative than a timeout.
        let kinds = errors.map { ProviderTransportError(connecting: $0) }
        self = kinds.first { $0 != .connectTimedOut } ?? .connectTimedOut
    }

    private init(connecting error: any Error) {
        switch error {
        case ChannelError.connectTimeout: self = .connectTimedOut
        case let io as IOError where io.errnoCode == ETIMEDOUT: self = .connectTimedOut
        case let io as IOError where io.errnoCode == ECONNREFUSED: self = .connectionRefused
        case let io as IOError where io.errnoCode == ENETUNREACH || io.errnoCode == EHOSTUNREACH: self = .noRoute
        default: self = .unreachable
        }
    }
}
