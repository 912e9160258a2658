// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// An action on the page "Your account", with what its form says.
enum AccountAction: Sendable, Hashable {
    /// The path that a form is posted to.
    enum Path: String, Sendable {
        case signIn = "/account/sign-in"
        case signInAgain = "/account/again"
        case link = "/account/link"
        case unlink = "/account/unlink"
        case refresh = "/account/refresh"
        case delete = "/account/delete"
        case signOut = "/account/sign-out"
    }

    case signIn(DemoProvider, DemoPerson)
    case signInAgain(DemoProvider, DemoPerson)
    case link(DemoProvider, DemoPerson)
    case unlink(DemoProvider)
    case refresh
    /// Deletes the account. The user agrees at Apple first, if it is linked; `nil` if the form names no user.
    case delete(DemoPerson?)
    case signOut

    /// Reads a form; `nil` if the path belongs to no action, or a field is missing.
    init?(path: String, form: Parameters) {
        let provider: DemoProvider? = Self.field("provider", of: form)
        let person: DemoPerson? = Self.field("person", of: form)
        switch (Path(rawValue: path), provider, person) {
        case (.signIn?, let provider?, let person?): self = .signIn(provider, person)
        case (.signInAgain?, let provider?, let person?): self = .signInAgain(provider, person)
        case (.link?, let provider?, let person?): self = .link(provider, person)
        case (.unlink?, let provider?, _): self = .unlink(provider)
        case (.refresh?, _, _): self = .refresh
        case (.delete?, _, _): self = .delete(person)
        case (.signOut?, _, _): self = .signOut
        default: return nil
        }
    }

    private static func field<Value: RawRepresentable<String>>(_ name: String, of form: Parameters) -> Value? {
        guard let received = try? form.nonEmptyValue(name), let text = received.ascii(atMost: 32) else { return nil }
        return Value(rawValue: text)
    }
}
