/// Chinese that was written in one encoding and read in another.
enum MisreadText {
    /// Whether a text is Chinese of UTF-8 that was taken for GBK, or for Latin letters, on its way
    /// through some editor.
    static func isMisread(_ text: String) -> Bool {
        if text.unicodeScalars.contains("\u{FFFD}") || latin.contains(where: text.contains) {
            return true
        }
        return text.split { !String($0).hasChinese }.contains { run in
            let characters = Array(run)
            guard characters.count > 3 else { return false }
            // Of each two characters three come out, the first of which is in the list.
            let firsts = stride(from: 0, to: characters.count, by: 3).map { characters[$0] }
            return firsts.allSatisfy(firstsOfGBK.contains)
        }
    }

    private static let latin = [
        "\u{C3}\u{A9}", "\u{E2}\u{20AC}", "\u{E4}\u{B8}", "\u{E5}\u{B9}", "\u{E9}\u{AB}",
    ]

    /// The characters that two bytes of a Chinese character in UTF-8 are in GBK, which are rare.
    private static let firstsOfGBK = Set(
        "鋩鋪鋫鋬鋭鋮鋯鋰鋱鋲鋳鋴鋵鋶鋷鋸鋹鋺鋻鋼鋽鋾鋿錀錁錂錃錄錅錆錇錈錉洹洧洌浃浈洇洄洙洎洫浍"
            + "洮洵洚浏浒浔洳涑浯涞涠浞涓涔浜浠浼浣渚淇鍊鍋鍌鍍鍎鍏鍐鍑鍒鍓鍔鍕鍖鍗鍘鍙鍚鍛鍜鍝鍞鍟鍠鍡"
            + "鍢鍣鍤鍥鍦鍧鍨鍩鍫濉澧澹澶濂濡濮濞濠濯瀚瀣瀛瀹瀵灏灞宀宄宕宓宥宸甯骞搴寤寮褰寰蹇鎬鎭鎮鎯"
            + "鎰鎱鎲鎳鎴鎵鎶鎷鎸鎹鎺鎻鎼鎽鎾鎿鏀鏁鏂鏃鏄鏅鏆鏇鏈鏉鏋鏌鏍妗姊妫妞妤姒妲妯姗妾娅娆姝娈姣"
            + "姘姹娌娉娲娴娑娣娓婀婧婊婕娼婢婵鐎鐏鐐鐑鐒鐓鐔鐕鐖鐗鐘鐙鐚鐛鐜鐝鐞鐟鐠鐡鐢鐣鐤鐥鐦鐧鐨鐩"
            + "鐪鐫鐬鐭鐮纭纰纾绀绁绂绉绋绌绐绔绗绛绠绡绨绫绮绯绱绲缍绶绺绻绾缁缂缃缇缈鑰鑱鑲鑳鑴鑵鑶鑷"
            + "鑸鑹鑺鑻鑼鑽鑾鑿钀钁钂钃钄钑钖钘铇铏铓铔铚铦铻锜锠琛琚瑁瑜瑗瑕瑙瑷瑭瑾璜璎璀璁璇璋璞璨璩"
            + "璐璧瓒璺韪韫韬杌杓杞杈杩閫閬閭閮閯閰閱閲閳閴閵閶閷閸閹閺閻閼閽閾閿闀闁闂闃闄闅闆闇闈闉闊" + "闋椤棰椋椁楗棣椐楱椹楠楂楝榄楫榀榘楸椴槌榇榈槎榉楦楣楹榛榧榻榫榭")
}
