// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A result that is there already, or that a future will hold.
///
/// Most of what a callback needs is cached, and a future for it costs an allocation and a turn of callbacks. Every
/// asynchronous step has one shape with this instead of a synchronous and an asynchronous one.
///
/// Without `@usableFromInline` on the type, the bodies of its functions are not in the module, and other modules call them
/// unspecialized.
@usableFromInline
package enum Eventual<Value: Sendable>: Sendable {
    /// The value.
    case value(Value)
    /// There will be none.
    case failure(any Error)
    /// The value, later, on the future's event loop.
    case future(EventLoopFuture<Value>)

    /// What a throwing function gives.
    @inlinable
    package init(catching body: () throws -> Value) {
        do {
            self = .value(try body())
        } catch {
            self = .failure(error)
        }
    }

    /// A future of an event loop.
    @inlinable
    package func future(on eventLoop: any EventLoop) -> EventLoopFuture<Value> {
        switch self {
        case .value(let value): eventLoop.makeSucceededFuture(value)
        case .failure(let error): eventLoop.makeFailedFuture(error)
        case .future(let future): future.hop(to: eventLoop)
        }
    }

    /// Another value made of this one, or a failure where that throws.
    @inlinable
    package func flatMapThrowing<New: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> New
    ) -> Eventual<New> {
        switch self {
        case .value(let value):
            do {
                return .value(try transform(value))
            } catch {
                return .failure(error)
            }
        case .failure(let error): return .failure(error)
        case .future(let future): return .future(future.flatMapThrowing(transform))
        }
    }

    /// What follows from the result. All of it runs on the event loop of the future that is waited for.
    @inlinable
    package func flatMapResult<New: Sendable>(
        _ transform: @escaping @Sendable (Result<Value, any Error>) -> Eventual<New>
    ) -> Eventual<New> {
        switch self {
        case .value(let value): return transform(.success(value))
        case .failure(let error): return transform(.failure(error))
        case .future(let future):
            // `flatMap` of the future would need one more for a value that is there.
            let promise = future.eventLoop.makePromise(of: New.self)
            future.whenComplete { transform($0).cascade(to: promise) }
            return .future(promise.futureResult)
        }
    }

    /// What follows from this value.
    @inlinable
    package func flatMap<New: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Eventual<New>
    ) -> Eventual<New> {
        switch self {
        case .value(let value): transform(value)
        case .failure(let error): .failure(error)
        case .future:
            flatMapResult { result in
                switch result {
                case .success(let value): transform(value)
                case .failure(let error): .failure(error)
                }
            }
        }
    }

    /// What follows from this value, or else from its failure.
    @inlinable
    package func flatMap<New: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Eventual<New>,
        failure: @escaping @Sendable (any Error) -> Eventual<New>
    ) -> Eventual<New> {
        switch self {
        case .value(let value): transform(value)
        case .failure(let error): failure(error)
        case .future:
            flatMapResult { result in
                switch result {
                case .success(let value): transform(value)
                case .failure(let error): failure(error)
                }
            }
        }
    }

    /// Another value in the place of a failure.
    @inlinable
    package func recover(_ value: @escaping @Sendable (any Error) -> Value) -> Eventual<Value> {
        switch self {
        case .value: self
        case .failure(let error): .value(value(error))
        case .future(let future): .future(future.recover(value))
        }
    }

    /// A value in the place of a failure, or another failure where that throws.
    @inlinable
    package func flatMapErrorThrowing(
        _ transform: @escaping @Sendable (any Error) throws -> Value
    ) -> Eventual<Value> {
        switch self {
        case .value: self
        case .failure(let error): Eventual(catching: { try transform(error) })
        case .future(let future): .future(future.flatMapErrorThrowing(transform))
        }
    }

    /// Calls back with the result, at once if it is there.
    @inlinable
    package func whenComplete(_ body: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        switch self {
        case .value(let value): body(.success(value))
        case .failure(let error): body(.failure(error))
        case .future(let future): future.whenComplete(body)
        }
    }

    /// Completes a promise with the result.
    @inlinable
    package func cascade(to promise: EventLoopPromise<Value>) {
        switch self {
        case .value(let value): promise.succeed(value)
        case .failure(let error): promise.fail(error)
        case .future(let future): future.cascade(to: promise)
        }
    }
}
