// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    extension StoreCaller {
        /// Asks again until the server is reached. What it does not answer in time is an outcome of these tests.
        init(
            _ store: PostgreSQLSingleUseStore,
            on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
        ) {
            self.init(store, on: eventLoop, after: ["unreachable"])
        }
    }
#endif
