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
        signedInAs: "Sie melden sich als \(.name) an.",
        continueOnlyIfStarted:
            "Damit melden Sie sich bei einer App auf diesem Gerät an. Fahren Sie nur fort, wenn Sie das gerade selbst in dieser App begonnen haben.",
        continueTo: "Weiter zu \(.name)",
        cancel: "Abbrechen",
        responseGoesTo: "Anschließend gelangen Sie zu \(.name).",
        mayCloseAfterwards: "Danach können Sie diese Seite schließen.",
        oneMoreStep: "Noch ein Schritt",
        needsConfirmation:
            "Ihr Browser braucht Ihre Bestätigung, damit es weitergeht. Klicken oder tippen Sie auf „Weiter“.",
        continue: "Weiter",
        scriptNeeded:
            "Ihr Browser führt das kleine Skript (JavaScript) nicht aus, das diese Seite braucht. Erlauben Sie Skripte für diese Seite und laden Sie sie neu.",
        beingSignedIn: "Einen Moment bitte, es geht von selbst weiter.",
        noSignInInLink:
            "Diese Seite wurde ohne eine Anmeldung geöffnet. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn.",
        mayBeClosed:
            "Sie können dieses Fenster schließen und zu der App oder Website zurückgehen, in der Sie begonnen haben.",
        signOutOfQuestion: "Von \(.name) abmelden?",
        signOutQuestion: "Abmelden?",
        signOutNote:
            "Möglicherweise werden Sie auch bei dem Dienst abgemeldet, mit dem Sie sich angemeldet haben. Wenn Sie sich nicht abmelden wollten, schließen Sie diese Seite.",
        signOut: "Abmelden",
        signedOut: PageMessage(
            "Die Abmeldung ist beendet",
            "Beim Dienst, mit dem Sie sich angemeldet haben, sind Sie möglicherweise noch angemeldet. Melden Sie sich auf einem gemeinsam genutzten Gerät auch dort ab."
        ),
        brokenSignOut: PageMessage(
            "Diese Abmeldung funktioniert nicht",
            "Der Link ist unvollständig oder abgelaufen, daher sind Sie möglicherweise noch angemeldet. Gehen Sie zurück zur App oder Website und melden Sie sich dort ab."
        ),
        reference: "Falls Sie um Hilfe bitten, nennen Sie diesen Code: \(.name)",
        forDevelopers: "Für die Entwickler der App oder Website: \(.name)",
        startAgain: "Von vorn beginnen",
        backTo: "Zurück zu \(.name)",
        imprint: "Impressum",
        privacy: "Datenschutz",
        aboutServer: PageMessage(
            "Dies ist ein Anmeldeserver",
            "Apps und Websites nutzen ihn, um Sie anzumelden. Auf dieser Seite müssen Sie nichts tun: Öffnen Sie die App oder Website, die Sie verwenden möchten, und melden Sie sich dort an."
        ),
        alreadyFinished: PageMessage(
            "Diese Anmeldung ist beendet oder wurde unterbrochen",
            "Sie kann nicht noch einmal verwendet werden. Gehen Sie zurück zur App oder Website: Vielleicht sind Sie dort schon angemeldet. Wenn nicht, beginnen Sie von vorn."
        ),
        expired: PageMessage(
            "Diese Anmeldung hat zu lange gedauert",
            "Zu Ihrer Sicherheit muss eine Anmeldung innerhalb weniger Minuten abgeschlossen sein. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ),
        otherBrowser: PageMessage(
            "Diese Anmeldung wurde nicht hier begonnen",
            "Sie wurde in einem anderen Browser oder in einem privaten Fenster begonnen, oder dieser Browser blockiert Cookies. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ),
        changed: PageMessage(
            "Bitte beginnen Sie von vorn",
            "Die Einstellungen für die Anmeldung haben sich inzwischen geändert. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ),
        brokenLink: PageMessage(
            "Dieser Link funktioniert nicht",
            "Er ist unvollständig oder veraltet, oder er gehört nicht hierher. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ),
        notLoadable: PageMessage(
            "Diese Seite lässt sich so nicht laden",
            "Sie öffnet sich nur als Schritt einer An- oder Abmeldung. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ),
        notFound: PageMessage(
            "Diese Seite gibt es nicht",
            "Die Adresse ist möglicherweise falsch oder veraltet. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ),
        notSupported: PageMessage(
            "Noch nicht unterstützt",
            "Die App oder Website verwendet eine Art der Anmeldung, die hier noch nicht funktioniert, daher sind Sie nicht angemeldet. Bitte wenden Sie sich an deren Support."
        ),
        unavailable: PageMessage(
            "Die Anmeldung ist gerade nicht möglich",
            "Ein Dienst, der dafür nötig ist, ist überlastet oder antwortet nicht. Warten Sie einige Minuten, gehen Sie dann zurück zur App oder Website und versuchen Sie es noch einmal."
        ),
        siteFailed: PageMessage(
            "Die Anmeldung hat nicht geklappt",
            "Diese Website konnte Ihre Anmeldung nicht abschließen. Bitte versuchen Sie es noch einmal. Wenn es wieder nicht klappt, wenden Sie sich an den Support der Website."
        ),
        failed: PageMessage(
            "Die Anmeldung hat nicht geklappt",
            "Ihre Anmeldung konnte nicht gestartet werden. Bitte versuchen Sie es noch einmal. Wenn es wieder nicht klappt, wenden Sie sich an den Support der Website."
        ),
        tooManyAttempts: PageMessage(
            "Bitte warten Sie einen Moment",
            "Aus Ihrem Netzwerk kamen zu viele Anmeldeversuche. Warten Sie eine Minute und laden Sie diese Seite dann neu."
        ),
        cancelled: PageMessage(
            "Sie haben sich nicht angemeldet",
            "Die Anmeldung wurde abgebrochen oder abgelehnt. Wenn Sie es noch einmal versuchen möchten, gehen Sie zurück zur App oder Website."
        ),
        noAccess: PageMessage(
            "Sie haben keinen Zugang",
            "Mit Ihrem Konto dürfen Sie diese App oder Website nicht benutzen. Bitten Sie deren Betreiber um Zugang, oder beginnen Sie mit einem anderen Konto von vorn."
        ),
        unverified: PageMessage(
            "Die Anmeldung hat nicht geklappt",
            "Die Anmeldung konnte nicht überprüft werden und wurde zu Ihrer Sicherheit abgebrochen. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ),
        cannotBegin: PageMessage(
            "Diese Anmeldung kann nicht beginnen",
            "Der Link zu dieser Seite ist unvollständig oder ungültig. Gehen Sie zurück zur App oder Website und versuchen Sie es noch einmal. Wenn es wieder nicht klappt, wenden Sie sich an deren Support."
        ),
        formFromElsewhere: PageMessage(
            "Ihre Auswahl wurde nicht angenommen",
            "Sie kam nicht von der Seite, auf der Sie die Art der Anmeldung wählen. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ),
        startOver: PageMessage(
            "Bitte beginnen Sie von vorn",
            "Die Seite war zu lange geöffnet oder wurde schon einmal verwendet, oder dieser Browser blockiert Cookies. Gehen Sie zurück zur App oder Website und beginnen Sie von vorn."
        ))
}
