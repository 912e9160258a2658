// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// Chinese in traditional characters.
    static let traditionalChinese = PageTexts(
        tag: "zh-Hant",
        direction: .leftToRight,
        signInTo: "登入 \(.name)",
        chooseProvider: "請選擇登入方式。",
        continueWith: "使用 \(.name) 繼續",
        continueToQuestion: "要繼續前往 \(.name) 嗎？",
        signedInAs: "您將以 \(.name) 的身分登入。",
        continueOnlyIfStarted: "您即將登入此裝置上的一個應用程式。如果不是您本人剛剛在該應用程式中開始的登入，請勿繼續。",
        continueTo: "繼續前往 \(.name)",
        cancel: "取消",
        responseGoesTo: "接著將開啟 \(.name)。",
        mayCloseAfterwards: "之後您可以關閉此頁面。",
        oneMoreStep: "還差一步",
        needsConfirmation: "您的瀏覽器需要您確認才能繼續。請按「繼續」。",
        continue: "繼續",
        scriptNeeded: "此頁面需要執行一小段指令碼（JavaScript），但您的瀏覽器沒有執行它。請允許此頁面執行指令碼，然後重新載入。",
        beingSignedIn: "請稍候，此頁面會自動繼續。",
        noSignInInLink: "此頁面開啟時沒有正在進行的登入。請返回應用程式或網站重新開始。",
        mayBeClosed: "您可以關閉此視窗，返回您開始登入的應用程式或網站。",
        signOutOfQuestion: "要登出 \(.name) 嗎？",
        signOutQuestion: "要登出嗎？",
        signOutNote: "您可能也會從登入時所用的服務登出。如果您不想登出，請關閉此頁面。",
        signOut: "登出",
        signedOut: PageMessage(
            "登出程序已完成",
            "您可能仍登入在用來登入的服務中。如果是共用裝置，請在該服務中也登出。"
        ),
        brokenSignOut: PageMessage("無法登出", "連結不完整或已過期，因此您可能仍在登入狀態。請返回應用程式或網站，在那裡登出。"),
        reference: "尋求協助時，請提供此參考代碼：\(.name)",
        forDevelopers: "供應用程式或網站的開發者參考：\(.name)",
        startAgain: "重新開始",
        backTo: "返回 \(.name)",
        imprint: "法律聲明",
        privacy: "隱私權政策",
        aboutServer: PageMessage(
            "這是一部登入伺服器",
            "應用程式和網站使用它讓您登入。您不需要在此頁面上進行任何操作：請開啟您要使用的應用程式或網站，並在那裡登入。"
        ),
        alreadyFinished: PageMessage(
            "此次登入已經結束或已中斷",
            "該登入無法再次使用。請返回應用程式或網站，您可能已經在那裡登入。如果未顯示您已登入，請重新開始。"
        ),
        expired: PageMessage("登入時間過長", "為了您的安全，登入需要在幾分鐘內完成。請返回應用程式或網站重新開始。"),
        otherBrowser: PageMessage("此次登入不是在這裡開始的", "登入是在其他瀏覽器或無痕視窗中開始的，或者此瀏覽器封鎖了 Cookie。請返回應用程式或網站重新開始。"),
        changed: PageMessage("請重新開始", "登入設定在此期間已變更。請返回應用程式或網站重新開始。"),
        brokenLink: PageMessage("此連結無效", "連結不完整、已過時，或不屬於此網站。請返回應用程式或網站重新開始。"),
        notLoadable: PageMessage("無法以這種方式載入此頁面", "此頁面只能在登入或登出的過程中開啟。請返回應用程式或網站重新開始。"),
        notFound: PageMessage("此頁面不存在", "網址可能有誤或已過時。請返回應用程式或網站重新開始。"),
        notSupported: PageMessage("尚未支援", "該應用程式或網站使用的登入方式在這裡尚無法使用，因此您沒有登入。請聯絡其客服支援。"),
        unavailable: PageMessage("目前無法登入", "登入所需的服務忙碌中或沒有回應。請等待幾分鐘，然後返回應用程式或網站再試一次。"),
        siteFailed: PageMessage("登入失敗", "此網站未能完成您的登入。請再試一次。如果仍然失敗，請聯絡網站的客服支援。"),
        failed: PageMessage("登入失敗", "無法開始您的登入。請再試一次。如果仍然失敗，請聯絡網站的客服支援。"),
        tooManyAttempts: PageMessage("請稍候", "來自您所在網路的登入嘗試過多。請等待一分鐘，然後重新載入此頁面。"),
        cancelled: PageMessage("您沒有登入", "登入已取消或遭拒絕。如果想再試一次，請返回應用程式或網站。"),
        noAccess: PageMessage(
            "您沒有存取權限",
            "您的帳號不能用於此應用程式或網站。請向其管理者申請存取權限，或使用其他帳號重新開始。"
        ),
        unverified: PageMessage("登入失敗", "此次登入無法通過驗證，為了您的安全已中止。請返回應用程式或網站重新開始。"),
        cannotBegin: PageMessage("無法開始登入", "您開啟此頁面所用的連結不完整或無效。請返回應用程式或網站再試一次。如果仍然失敗，請聯絡其客服支援。"),
        formFromElsewhere: PageMessage("您的選擇未被接受", "該選擇並非來自選擇登入方式的頁面。請返回應用程式或網站重新開始。"),
        startOver: PageMessage("請重新開始", "頁面開啟時間過長或已使用過，或者此瀏覽器封鎖了 Cookie。請返回應用程式或網站重新開始。"))
}
