// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// German.
    static let german = PageTexts(
        tag: "de",
        direction: .leftToRight,
        signInTo: "Bei \(.name) anmelden",
        chooseProvider: "Wählen Sie, wie Sie sich anmelden möchten.",
        continueWith: "Weiter mit \(.name)",
        continueToQuestion: "Weiter zu \(.name)?",
        signedInAs: "Sie sind als \(.name) angemeldet.",
        continueOnlyIfStarted:
            "Sie sind dabei, sich bei einer App auf diesem Gerät anzumelden. Fahren Sie nur fort, wenn Sie das gerade selbst in dieser App begonnen haben.",
        continueTo: "Weiter zu \(.name)",
        cancel: "Abbrechen",
        responseGoesTo: "Die Antwort geht an \(.name).",
        mayCloseAfterwards: "Danach können Sie diese Seite schließen.",
        oneMoreStep: "Noch ein Schritt",
        needsConfirmation: "Ihr Browser braucht Ihre Bestätigung, um die Anmeldung abzuschließen.",
        continue: "Weiter",
        scriptNeeded:
            "Um die Anmeldung abzuschließen, braucht diese Seite ein kleines Skript, das Ihr Browser nicht ausführt. Erlauben Sie Skripte für diese Seite und laden Sie sie neu, oder gehen Sie zurück zur App und beginnen Sie von vorn.",
        beingSignedIn: "Sie werden angemeldet.",
        noSignInInLink: "Dieser Link enthält keine Anmeldung. Gehen Sie zurück zur App und beginnen Sie von vorn.",
        signOutOfQuestion: "Von \(.name) abmelden?",
        signOutQuestion: "Abmelden?",
        signOutNote:
            "Sie werden damit auch bei dem Dienst abgemeldet, mit dem Sie sich angemeldet haben, sofern er das unterstützt. Wenn Sie sich nicht abmelden wollten, schließen Sie diese Seite.",
        signOut: "Abmelden",
        signedOut: PageMessage("Sie sind abgemeldet", "Sie können diese Seite schließen."),
        brokenSignOut: PageMessage(
            "Diese Abmeldung funktioniert nicht",
            "Der Link ist unvollständig oder abgelaufen. Gehen Sie zurück zur App und melden Sie sich dort ab."),
        reference: "Referenz: \(.name)",
        startAgain: "Von vorn beginnen",
        backTo: "Zurück zu \(.name)",
        imprint: "Impressum",
        privacy: "Datenschutz",
        alreadySignedIn: PageMessage(
            "Sie haben sich bereits angemeldet",
            "Diese Anmeldung ist abgeschlossen. Wenn die App Sie nicht als angemeldet zeigt, beginnen Sie dort von vorn."
        ),
        expired: PageMessage(
            "Diese Anmeldung hat zu lange gedauert",
            "Es ist nichts verloren. Gehen Sie zurück zur App und beginnen Sie von vorn."),
        otherBrowser: PageMessage(
            "Diese Anmeldung wurde nicht hier begonnen",
            "Sie wurde in einem anderen Browser oder Fenster begonnen, oder dieser Browser speichert keine Cookies. Gehen Sie zurück zur App und beginnen Sie von vorn."
        ),
        changed: PageMessage(
            "Bitte beginnen Sie von vorn",
            "Die Einstellungen für die Anmeldung wurden inzwischen geändert. Gehen Sie zurück zur App und beginnen Sie von vorn."
        ),
        brokenLink: PageMessage(
            "Dieser Link funktioniert nicht",
            "Er ist unvollständig oder gehört zu keiner Anmeldung dieses Servers. Gehen Sie zurück zur App und beginnen Sie von vorn."
        ),
        notLoadable: PageMessage(
            "Diese Seite lässt sich so nicht laden", "Gehen Sie zurück zur App und beginnen Sie von vorn."),
        notFound: PageMessage(
            "Diese Seite gibt es nicht", "Gehen Sie zurück zur App und beginnen Sie von vorn."),
        notSupported: PageMessage(
            "Noch nicht unterstützt",
            "Die App spricht mit diesem Server auf eine Weise, die er noch nicht versteht. Bitte sagen Sie es den Herstellern der App."
        ),
        unavailable: PageMessage(
            "Die Anmeldung ist gerade nicht möglich",
            "Der Dienst, der Sie anmeldet, antwortet nicht. Bitte versuchen Sie es gleich noch einmal."),
        siteFailed: PageMessage(
            "Die Anmeldung hat nicht geklappt",
            "Diese Website konnte Ihre Anmeldung nicht abschließen. Bitte versuchen Sie es noch einmal."),
        failed: PageMessage("Die Anmeldung hat nicht geklappt", "Bitte versuchen Sie es noch einmal."),
        tooManyAttempts: PageMessage(
            "Bitte warten Sie einen Moment",
            "Aus Ihrem Netzwerk gab es zu viele Anmeldeversuche. Es ist nichts verloren: Laden Sie diese Seite in einer Minute neu."
        ),
        cancelled: PageMessage(
            "Sie haben sich nicht angemeldet", "Gehen Sie zurück zur App, wenn Sie es noch einmal versuchen möchten."),
        unverified: PageMessage(
            "Die Anmeldung hat nicht geklappt",
            "Die Antwort konnte nicht geprüft werden. Gehen Sie zurück zur App und beginnen Sie von vorn."),
        cannotBegin: PageMessage(
            "Diese Anmeldung kann nicht beginnen",
            "Der Link der App zu dieser Seite stimmt nicht. Gehen Sie zurück zur App und beginnen Sie von vorn."),
        formFromElsewhere: PageMessage(
            "Dieses Formular kann von dort nicht gesendet werden", "Beginnen Sie in der App von vorn."),
        startOver: PageMessage(
            "Bitte beginnen Sie von vorn", "Gehen Sie zurück zur App und beginnen Sie von vorn."))
}
