// SPDX-License-Identifier: Apache-2.0

extension UserReader {
    /// Where in the file the reader is. It sees the next byte that is no whitespace, and decides what is read there.
    struct StateMachine: Sendable, Hashable {
        /// What the reader does next.
        enum Action: Sendable, Hashable {
            /// Goes on behind the byte.
            case advance
            /// Reads the name of a member, and asks ``memberRead(_:value:)``.
            case readMember
            /// Goes on behind the value of the member.
            case skipValue
            /// Reads a user.
            case readUser
            /// Ends: so does the file.
            case end
            /// Ends with an error for this reason.
            case fail(String)
        }

        private enum State: Sendable, Hashable {
            /// No object is open: the file begins or ends, or another page does.
            case outside
            /// An object has begun, and has no member yet.
            case object
            /// A member must follow.
            case member
            /// A member was read.
            case behindMember
            /// An array of users has begun, and has no user yet.
            case users
            /// A user must follow.
            case user
            /// A user was read.
            case behindUser
        }

        private var state = State.outside
        /// Whether a member was read that only pages and exports have. The last page of a project may have no users.
        private var isOfUsers = false
        private var namesNextPage = false
        /// Whether a page was read that names no further one.
        private(set) var hasLastPage = false

        /// Decides what is read at a byte, which is `nil` at the end of the file.
        mutating func next(_ byte: UInt8?) -> Action {
            switch (state, byte) {
            case (.outside, nil): return isOfUsers ? .end : .fail("The file has no array `users`. " + Self.forms)
            case (_, nil): return .fail("The file ends too early")
            case (.outside, UInt8(ascii: "{")):
                state = .object
                namesNextPage = false
            case (.outside, let byte?): return .fail(reason(against: byte))
            case (.object, UInt8(ascii: "}")), (.behindMember, UInt8(ascii: "}")):
                state = .outside
                hasLastPage = hasLastPage || !namesNextPage
            case (.object, UInt8(ascii: "\"")), (.member, UInt8(ascii: "\"")): return .readMember
            case (.behindMember, UInt8(ascii: ",")): state = .member
            case (.users, UInt8(ascii: "]")), (.behindUser, UInt8(ascii: "]")): state = .behindMember
            case (.behindUser, UInt8(ascii: ",")): state = .user
            case (.users, _):
                state = .behindUser
                return .readUser
            case (.user, let byte) where byte != UInt8(ascii: "]"):
                state = .behindUser
                return .readUser
            default: return .fail("The file is not JSON")
            }
            return .advance
        }

        /// Notes the name of a member.
        /// - Parameter byte: The first byte of its value, behind which the reader goes on if it is ``Action/advance``.
        mutating func memberRead(_ name: [UInt8], value byte: UInt8?) -> Action {
            let isUsers = name == Array("users".utf8)
            if isUsers || name == Array("kind".utf8) { isOfUsers = true }
            let isNull = byte == UInt8(ascii: "n")
            if name == Array("nextPageToken".utf8), !isNull { namesNextPage = true }
            // Behind pages it would pass for the end of a project.
            if name == Array("error".utf8), !isNull {
                return .fail("The file has an error of Firebase instead of a page: fetch that page again")
            }
            state = .behindMember
            guard isUsers else { return .skipValue }
            switch byte {
            case UInt8(ascii: "["):
                state = .users
                return .advance
            // null, as some write an empty list.
            case UInt8(ascii: "n"): return .skipValue
            default: return .fail("`users` is not an array. " + Self.forms)
            }
        }

        /// Why a file cannot be read in which this byte stands where an object begins.
        private func reason(against byte: UInt8) -> String {
            guard !isOfUsers else { return "The data after the users is not another page" }
            switch byte {
            case UInt8(ascii: "["): return "The file is an array. " + Self.forms
            case 0x1F: return "The file is compressed: unpack it first"
            case 0xFE, 0xFF: return "The file is UTF-16: convert it to UTF-8"
            default: return "The file is not JSON. " + Self.forms
            }
        }

        private static let forms =
            "Use pages of accounts:batchGet, or what `firebase auth:export --format=json` writes; CSV is not supported, "
            + "since its fields are ambiguous"
    }
}
