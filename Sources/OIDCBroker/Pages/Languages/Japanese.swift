// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// Japanese.
    static let japanese = PageTexts(
        tag: "ja",
        direction: .leftToRight,
        signInTo: "\(.name)にサインイン",
        chooseProvider: "サインイン方法を選択してください。",
        continueWith: "\(.name)で続ける",
        continueToQuestion: "\(.name)に進みますか？",
        signedInAs: "\(.name)としてサインインしています。",
        continueOnlyIfStarted: "このデバイスのアプリにサインインしようとしています。たった今ご自分でそのアプリから始めた場合にのみ続けてください。",
        continueTo: "\(.name)に進む",
        cancel: "キャンセル",
        responseGoesTo: "結果は\(.name)に送られます。",
        mayCloseAfterwards: "その後、このページを閉じてかまいません。",
        oneMoreStep: "あと1ステップです",
        needsConfirmation: "サインインを完了するには、ブラウザで確認が必要です。",
        continue: "続ける",
        scriptNeeded:
            "サインインを完了するには小さなスクリプトが必要ですが、お使いのブラウザでは実行されていません。このページのスクリプトを許可して再読み込みするか、アプリに戻ってもう一度やり直してください。",
        beingSignedIn: "サインインしています。",
        noSignInInLink: "このリンクにはサインインの情報がありません。アプリに戻ってもう一度やり直してください。",
        signOutOfQuestion: "\(.name)からサインアウトしますか？",
        signOutQuestion: "サインアウトしますか？",
        signOutNote:
            "サインインに使ったサービスが対応していれば、そのサービスからもサインアウトします。サインアウトしたくない場合は、このページを閉じてください。",
        signOut: "サインアウト",
        signedOut: PageMessage("サインアウトしました", "このページを閉じてかまいません。"),
        brokenSignOut: PageMessage(
            "サインアウトできません", "リンクが不完全か、有効期限が切れています。アプリに戻ってサインアウトしてください。"),
        reference: "参照コード：\(.name)",
        startAgain: "もう一度やり直す",
        backTo: "\(.name)に戻る",
        imprint: "法的情報",
        privacy: "プライバシー",
        alreadySignedIn: PageMessage(
            "すでにサインインしています",
            "このサインインは完了しています。アプリにサインイン済みと表示されない場合は、アプリからもう一度やり直してください。"),
        expired: PageMessage(
            "サインインに時間がかかりすぎました", "失われたものはありません。アプリに戻ってもう一度やり直してください。"),
        otherBrowser: PageMessage(
            "このサインインはここで始められたものではありません",
            "別のブラウザやウインドウで始められたか、このブラウザが Cookie を保存していません。アプリに戻ってもう一度やり直してください。"),
        changed: PageMessage(
            "もう一度やり直してください", "その間にサインインの設定が変更されました。アプリに戻ってもう一度やり直してください。"),
        brokenLink: PageMessage(
            "このリンクは使えません",
            "リンクが不完全か、このサーバのサインインではありません。アプリに戻ってもう一度やり直してください。"),
        notLoadable: PageMessage(
            "このページはこの方法では読み込めません", "アプリに戻ってもう一度やり直してください。"),
        notFound: PageMessage("このページは存在しません", "アプリに戻ってもう一度やり直してください。"),
        notSupported: PageMessage(
            "まだ対応していません", "アプリからこのサーバへの通信方法にはまだ対応していません。アプリの開発者にお知らせください。"),
        unavailable: PageMessage(
            "現在サインインできません", "サインインのサービスが応答していません。しばらくしてからもう一度お試しください。"),
        siteFailed: PageMessage(
            "サインインできませんでした", "このサイトはサインインを完了できませんでした。もう一度お試しください。"),
        failed: PageMessage("サインインできませんでした", "もう一度お試しください。"),
        tooManyAttempts: PageMessage(
            "しばらくお待ちください",
            "お使いのネットワークからのサインインの試行が多すぎます。失われたものはありません。1分後にこのページを再読み込みしてください。"),
        cancelled: PageMessage("サインインしませんでした", "もう一度試す場合は、アプリに戻ってください。"),
        unverified: PageMessage(
            "サインインできませんでした", "応答を検証できませんでした。アプリに戻ってもう一度やり直してください。"),
        cannotBegin: PageMessage(
            "このサインインは開始できません", "アプリからこのページへのリンクが正しくありません。アプリに戻ってもう一度やり直してください。"),
        formFromElsewhere: PageMessage(
            "このフォームはそこから送信できません", "アプリからもう一度やり直してください。"),
        startOver: PageMessage(
            "もう一度やり直してください", "アプリに戻ってもう一度やり直してください。"))
}
