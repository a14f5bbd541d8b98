internal import EntitlementModel
internal import PolicyTools

/// What stands around every page.
struct ConsoleFrame {
    let language: Language
    let title: String
    /// Nil where nobody has entered.
    var call: ConsoleCall?
    /// The address of another style sheet that the page has.
    var style: String?

    private func text(_ phrase: ConsolePhrase) -> String { phrase.text(language) }

    func page(_ body: Markup, status: Int = 200) -> ConsoleResponse {
        document(
            """
            <header>
            <a class="skip" href="#main">\(text(.skip))</a>
            <nav aria-label="\(text(.parts))">
            <a href="/" class="mark">Usher</a>
            <form action="/find" method="get" role="search">
            <input type="search" name="q" id="q" value="\(sought)" autocomplete="off" \
            aria-label="\(text(.findLabel))" placeholder="\(text(.findHint))" accesskey="f">
            <button>\(text(.find))</button>
            </form>
            <a href="/policy">\(text(.policy))</a>
            <a href="/service">\(text(.service))</a>
            </nav>
            </header>
            <main id="main">
            <h1>\(title.shown)</h1>
            \(body)</main>
            <footer>\(footer)</footer>

            """, status: status)
    }

    /// For whoever has not entered.
    func bare(_ body: Markup, status: Int = 200) -> ConsoleResponse {
        document("<main id=\"main\"><h1>\(title.shown)</h1>\n\(body)</main>\n", status: status)
    }

    private var sought: String {
        call?.request.path.first == "find" ? call?.request.query["q"] ?? "" : ""
    }

    private var footer: Markup {
        guard let call else { return "" }
        let other: Language = language == .chinese ? .english : .chinese
        let name = other == .chinese ? "中文" : "English"
        return """
            <form method="post" action="/language">\(call.token)\
            <button name="language" value="\(other.tag)" lang="\(other.tag)">\(name)</button></form>
            <form method="post" action="/leave">\(call.token)\
            <button>\(text(.leave))</button></form>
            """
    }

    private func document(_ body: Markup, status: Int) -> ConsoleResponse {
        let other: Markup = style.map { "\n<link rel=\"stylesheet\" href=\"\($0)\">" } ?? ""
        let page: Markup = """
            <!doctype html>
            <html lang="\(language.tag)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title.shown) · Usher</title>
            <link rel="stylesheet" href="/console.css">\(other)
            <link rel="icon" href="/icon.svg">
            <script src="/console.js" defer></script>
            </head>
            <body>
            \(body)</body>
            </html>

            """
        return ConsoleResponse(status: status, body: Array(page.text.utf8))
    }
}

/// The style sheet: one accent, no box in a box, figures that stand below one another.
enum ConsoleStyle {
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">\
        <path fill="#1f5fbf" d="M2 2h3v8a3 3 0 0 0 6 0V2h3v8a6 6 0 0 1-12 0z"/></svg>
        """
    static let rules = """
        :root{color-scheme:light dark;--paper:#fff;--ink:#1d2126;--quiet:#59616b;--line:#d9dde2;
        --soft:#f4f5f7;--accent:#1f5fbf;--good:#1c7a48;--bad:#b3261e;--care:#8a5a00}
        @media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e8eb;--quiet:#a2abb5;
        --line:#343a41;--soft:#1e2227;--accent:#8ab4f8;--good:#6fcf97;--bad:#f28b82;--care:#f2c94c}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--paper);color:var(--ink);
        font:16px/1.5 system-ui,"Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
        header{border-bottom:1px solid var(--line)}
        nav,main,footer{max-width:64rem;margin:0 auto;padding:.75rem 1rem}
        nav{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
        nav form{display:flex;flex:1 1 14rem;gap:.5rem}
        nav input{flex:1;min-width:0}
        .mark{font-weight:600;color:inherit;text-decoration:none}
        .skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.25rem;background:var(--paper)}
        h1{font-size:1.5rem;line-height:1.25;margin:.75rem 0}
        h2{font-size:1.0625rem;margin:1.75rem 0 .25rem}
        h2 a{color:inherit;text-decoration-color:var(--quiet);text-underline-offset:.2em}
        th[scope=row]{overflow-wrap:normal}time{white-space:nowrap}
        h3{font-size:1rem;margin:1rem 0 .25rem}
        p{margin:.35rem 0}
        a{color:var(--accent)}
        a:focus-visible,button:focus-visible,input:focus-visible,textarea:focus-visible,
        select:focus-visible,summary:focus-visible,[tabindex]:focus-visible{
        outline:2px solid var(--accent);outline-offset:2px}
        input[type=date]:focus-within{outline:2px solid var(--accent);outline-offset:2px}
        .good{color:var(--good)}.bad{color:var(--bad)}.care{color:var(--care)}
        .strong{font-weight:500}.faint,.quiet{color:var(--quiet)}
        .tree,.tree ul{list-style:none;margin:.15rem 0;padding:0 0 0 1rem;border-left:1px solid var(--line)}
        .tree{margin-left:.1rem}.tree ul{border-left:0}.tree .next{margin:0 0 .25rem;padding-left:1rem}
        .tree li{padding:.1rem 0}.rights>li+li{margin-top:.6rem}
        .wide{overflow-x:auto}
        table{border-collapse:collapse;font-variant-numeric:tabular-nums}
        th,td{text-align:left;vertical-align:top;padding:.25rem 1rem .25rem 0;font-weight:400}
        tr+tr>*{border-top:1px solid var(--line)}
        th,td{overflow-wrap:break-word}
        .queue{width:100%}.queue .age{white-space:nowrap;color:var(--quiet)}
        @media(min-width:40rem){.queue{table-layout:fixed}.queue .age{width:9.5rem}
        .queue td:last-child{width:11rem}}
        .queue td:last-child{text-align:right;padding-right:0;white-space:nowrap;overflow-wrap:normal}
        code,pre{font:0.875em/1.45 ui-monospace,monospace}
        pre{overflow-x:auto}
        input,select,textarea,button{font:inherit;color:inherit;background:var(--paper);
        border:1px solid var(--quiet);border-radius:4px;padding:.35rem .6rem;max-width:100%}
        button{cursor:pointer}
        .doing,.taking{background:var(--accent);color:var(--paper);border-color:var(--accent)}
        .taking{background:var(--bad);border-color:var(--bad)}
        .fields p{display:grid;gap:.15rem;max-width:36rem;margin:.6rem 0}
        .fields .check,.fields fieldset label{display:flex;gap:.5rem;align-items:baseline}
        .fields fieldset{border:0;padding:0;margin:.6rem 0}
        .next .step{font-weight:400}
        .step{font-weight:600;overflow-wrap:normal}
        .fields button{margin-top:.25rem}details{margin-top:.75rem}.effect h2{margin-top:.6rem}
        .next{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0}
        .alert{border-left:3px solid var(--bad);padding:.25rem .75rem}
        .done{border-left:3px solid var(--good);padding:.25rem .75rem}
        .moment{border-left:3px solid var(--accent);padding:.25rem .75rem}
        .effect{background:var(--soft);padding:.1rem 1rem .6rem}
        .when{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}
        .when input{font-size:1rem}.when label{display:grid;font-size:.875rem;color:var(--quiet)}
        figure{margin:.5rem 0;overflow-x:auto}
        figure img{max-width:none;height:auto}@media(min-width:66rem){figure img{width:100%}}
        blockquote{margin:.25rem 0;padding:.25rem .75rem;border-left:1px solid var(--line);white-space:pre-wrap}
        .found[hidden]{display:none}
        footer{padding-inline:0;max-width:62rem;width:calc(100% - 2rem);display:flex;gap:1rem;border-top:1px solid var(--line);margin-top:3rem}
        footer button{border:0;padding:0;color:var(--accent)}
        @media(max-width:40rem){nav form{order:3;flex-basis:100%}.mark{flex:1}.queue tr{display:block;padding:.35rem 0}.queue tr>*,.queue td:last-child{display:block;padding:0;text-align:left;width:auto}
        .queue tr+tr>*{border:0}.queue tr+tr{border-top:1px solid var(--line)}}
        @media(forced-colors:active){.doing,.taking{border:2px solid ButtonText}}
        """
}

/// The script: what it does can be done without it.
enum ConsoleScript {
    static let text = """
        'use strict';
        // The code of the printed link is exchanged at once.
        const entrance = document.querySelector('form[data-submit]');
        if (entrance) entrance.requestSubmit();

        // What is typed is looked for.
        const box = document.getElementById('q');
        if (box) {
          const found = document.createElement('div');
          found.className = 'found';
          found.hidden = true;
          found.setAttribute('role', 'status');
          document.querySelector('main').prepend(found);
          let timer, asked = '';
          box.addEventListener('input', () => {
            clearTimeout(timer);
            timer = setTimeout(async () => {
              const text = box.value.trim();
              asked = text;
              if (text.length < 3) { found.hidden = true; return; }
              const answer = await fetch('/find?part=1&q=' + encodeURIComponent(text));
              const body = answer.ok ? await answer.text() : '';
              if (asked !== text) return;
              const page = new DOMParser().parseFromString(body, 'text/html');
              found.replaceChildren(...page.body.childNodes);
              found.hidden = body === '';
            }, 150);
          });
          // The keyboard: / goes to the box, j and k from one next step to the other.
          document.addEventListener('keydown', event => {
            const typing = event.target.closest('input,textarea,select');
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            if (typing) { if (event.key === 'Escape') event.target.blur(); return; }
            if (event.key === '/') { event.preventDefault(); box.focus(); box.select(); return; }
            if (event.key !== 'j' && event.key !== 'k') return;
            const steps = [...document.querySelectorAll('main a.step')];
            const place = steps.indexOf(document.activeElement);
            const next = event.key === 'j' ? place + 1 : place - 1;
            steps[Math.max(0, Math.min(steps.length - 1, next))]?.focus();
          });
        }

        // What is being counted is looked at again.
        if (document.querySelector('[data-progress]')) setTimeout(() => location.reload(), 1000);

        // A file that is dropped on a text is what is written there.
        for (const text of document.querySelectorAll('textarea[data-file]')) {
          text.addEventListener('dragover', event => event.preventDefault());
          text.addEventListener('drop', async event => {
            const file = event.dataTransfer.files[0];
            if (!file) return;
            event.preventDefault();
            const bytes = new Uint8Array(await file.arrayBuffer());
            const plain = bytes.every(byte => byte < 128);
            const join = () => { let all = ''; for (const byte of bytes) all += String.fromCharCode(byte); return all; };
            text.value = plain ? join() : btoa(join());
          });
        }

        // A text is copied.
        for (const button of document.querySelectorAll('button[data-copy]')) {
          button.hidden = false;
          button.addEventListener('click', () =>
            navigator.clipboard.writeText(button.previousElementSibling.textContent));
        }
        """
}

/// What the console says around the pages of commands.
enum ConsolePhrase: String, CaseIterable, UsherText, Wording {
    case home = "What waits"
    case nothingWaits = "Nothing waits for anybody."
    case skip = "To the content"
    case parts = "Parts of the console"
    case find = "Find"
    case findLabel = "Account, transaction, order, Apple ID, claim, grant or token"
    case findHint = "Account, transaction, order, …"
    case policy = "Policy"
    case service = "Service"
    case leave = "End the session"
    case accountTitle = "Account {0}"
    case whyTitle = "Why: {0} of {1}"
    case sinceTitle = "Since when: {0} of {1}"
    case timeTitle = "Over time: {0}"
    case creditsTitle = "Statement of credits: {0}"
    case ordersTitle = "Orders of {0}"
    case orderTitle = "Order {0}"
    case serviceGone = "The service does not answer; try again in a minute."
    case sinceDay = "since {0}"
    case justNow = "now"
    case warnings = "Warnings of the service"
    case policyWaits = "A policy that waits"
    case policyLosing = "{0 account|accounts} would lose something"
    case notAFolder = "the folder is a name in {0}, and none that begins with a point"
    case noFolders = "this console was started without --policies, so no folder can be scheduled"
    case lookAtPolicy = "Look at the policy"
    case claimsWaiting = "Claims that wait"
    case claimsLater = "The service has not read all of its ledger yet; look again in a minute."
    case claimsReview = "Claims that today's policy would decide otherwise"
    case lostOrders = "Lost orders and unclaimed payments"
    case perhapsPaid = "perhaps paid by {0}"
    case settleWith = "Settle with …{0}"
    case settlesWithout = """
        This delivers without a payment. A payment that nobody owns may be its own; then settle with \
        it, or it could be given to somebody a second time.
        """
    case noRights = "Nothing has been bought or given that a right comes from."
    case knownSince = "The first record of it is of {0}."
    case byWhatIsKnown = "The same day by what is known now"
    case knownAtHelp = "By what was known: what a colleague could read on that day."
    case dayBegins = "0:00 UTC of that day: the day before it is the last."
    case mayNow = "{0} now:"
    case lookAgain = "Look again"
    case oneOf = "What was said"
    case refundRequests = "Refund requests"
    case refundRequest = "Refund request {0}"
    case hoursLeft = "{0} left"
    case evidence = "Evidence"
    case findings = "Findings"
    case undelivered = "Changes not delivered"
    case undeliveredChange = "change {0} for {1}"
    case drift = "Differences from Apple"
    case noReconciliation = "No reconciliation has run since the service started."
    case all = "All {0}"
    case look = "Look"
    case next = "Next page"
    case claimNumber = "Claim {0}"
    case nothingKnownThen = "Nothing was recorded about this account by then."
    case notFound = "Nothing found"
    case nothingFound = "Nothing is recorded under '{0}'."
    case orderNotFound = """
        No purchase is known by Apple's order number '{0}': Apple was not asked, or knows none of this \
        app.
        """
    case askCustomer = "Ask the customer:"
    case askOrder = "for the order number in Apple's receipt e-mail; it begins with M"
    case askRestore = """
        to open the app while signed in, and to tap "Restore purchases": it submits what the device has
        """
    case askReceipt =
        "for a file with the receipt or the signed transaction, if your app can export one"
    case handIn = "Submit evidence"
    case handedIn = "the evidence"
    case inside = "What is in it"
    case wouldBeNew = "Nothing is known of '{0}': it would be a new account. Nothing was recorded."
    case handInForNew = "Submit evidence for the new account {0}"
    case ownedNow = "owned by {0}"
    case wentTo = "to {0}"
    case asksFor = "claim {0}: {1} asks for {2}"
    case otherAppleIDs =
        "Their purchases are of different Apple IDs: be sure that it is one person."
    case otherAccounts = "also of {0}"
    case onlyAccount = "no other account has bought with it"
    case mergeInto = "Merge {0} into {1}"
    case merged = "merged: {0} into {1} (merge {2})"
    case otherWay = "The other way round"
    case evidenceLabel = "A receipt or a signed transaction: paste the text, or drop the file here"
    case evidenceAccount = "The account that presents it, if one does"
    case why = "Why, in full"
    case sinceWhen = "Since when"
    case customerText = "A text for the customer"
    case copy = "Copy"
    case overTime = "Over time"
    case pictureOf = "The purchases and rights of {0} over time; the same is there as a table"
    case asTable = "As a table"
    case actions = "Actions"
    case statement = "Statement of credits"
    case anotherDay = "As of another day"
    case at = "At (a date)"
    case knownTo = "By what was known up to entry"
    case knownAt = "By what was known on (a date)"
    case show = "Show"
    case effect = "What this changes"
    case showEffect = "Show what it would change"
    case otherwise = "Change the details"
    case reason = "Reason; it is recorded"
    case reasonMissing = "A reason is needed; nothing was done."
    case undoThis = "Undo this"
    case policyTables = "What the policy gives, and to how many accounts, as tables"
    case planned = "Planned policies"
    case failed = "That did not work"
    case unknownPage = "there is no such page"
    case enter = "Enter the console"
    case enterText = "The code of the link is used now; it works once."
    case refused = "Not answered"
    case wrongHost = "This address is not the console's; use the link that it printed."
    case crossSite = "Another site has asked this; the console answers its own pages only."
    case wrongMethod = "The console takes GET and POST."
    case noSession = "There is no session, or it has ended; start 'usher console' again."
    case left = "The session has ended"
    case leftText = "Nothing more can be seen or done here; 'usher console' prints a new link."
    case wrongToken = "This form is not of this session; open the page again. Nothing was done."
    case stranger = "The proxy has named nobody who has a role here."
    case wrongCode = "The code was used, or is older than a minute; start 'usher console' again."
    case open = "open {0} within a minute (Ctrl-C ends the console)"
    case serving = "serving the console on {0}"
    case cannotListen = "cannot listen on {0}"
}
