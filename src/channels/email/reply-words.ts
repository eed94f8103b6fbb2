/**
 * What mail servers say in words, by what it is about. Read on lower-case text without addresses, links and codes
 * (`wordsOf`). The words are those of the systems in test/unit/channels/email/far-ends.ts, each with its source there.
 */

const period =
  '(?:daily|hourly|weekly|monthly|today|(?:per|each|every|this|last|past|next|in|within|for)[ -](?:the |a |an )?(?:\\d+ ?|twenty-four )?-?(?:h(?:ou)?rs?|days?|weeks?|months?)|24[ -]?h(?:ou)?rs?)'
const measure =
  '(?:limit|quota|allowance|threshold|maximum|max\\b|exceed|too many|rate\\b|volume|used up|reached)'
const exceeded = '(?:exceed\\w*|reach\\w*|hit|used up|over)'
const bound = '(?:limits?|quotas?|allowance|thresholds?|maximum|max)'

/** The mail is too large, for anybody. */
export const tooLarge =
  /\b(message|mail|e-?mail|attachments?|header)s? (size|length|is too (big|large)|too (big|large|long))|size of (the|your|this) (message|mail|e-?mail)|databytes|(message|mail|size) (file )?too (big|large)|number of attachments|bytes per individual header|\bsize limit|\b(exceed\w*|over|maximum|max)\b[^.;]{0,30}\bsize\b|\b(message|mail|e-?mail)s? exceeds? (the |a |its |our )?(fixed |maximum |allowed |permitted )*(limit|maximum)/

/** The recipient's mailbox is full. */
export const mailboxFull = new RegExp(
  [
    '\\b(?:mail ?box|inbox|mail ?folder|mail ?dir|mail ?file)\\b[^.;]{0,60}\\b(?:full|quota|exceed\\w*|limit|space)',
    '\\b(?:full|quota|exceed\\w*|insufficient|over)\\b[^.;]{0,40}\\b(?:mail ?box|inbox|mail ?folder|mail ?dir)\\b',
    '\\b(?:storage|disk ?space|disk)\\b[^.;]{0,40}\\b(?:quota|exceed\\w*|limit|violation)|storage allocation|out of storage',
    '\\b(?:users?|recipients?|accounts?)\\b[^.;]{0,20}\\bexceed\\w* (?:their |his |the |its |allowed )?quota|too many messages on the server',
    '\\bover (?:the |its |their )?(?:allowed |disk |disc |storage )?quota|\\bdisc quota',
    "\\brecipient'?s? (?:mail )?quota|\\bover[ -]?quota\\b|\\bquota violation for",
    '信箱已?滿|信箱.{0,6}(?:容量|空間)',
  ].join('|'),
)

/** The recipient gets too many mails, from whomever. */
export const mailboxBusy =
  /receiving limit|receiving mail (too (quickly|fast)|at a rate)|(message|mail)s? receiv\w* (rate |limit)|per hour message receive limit|(too (many|much)|excessive)[^.;]{0,30}\b(to|for) (this|the|that|your) (mail ?box|recipient|user|inbox)|recipient (has exceeded|thread limit)|mail ?box received too (many|much)|\bto this recipient per\b/

/** A limit of the sender over a period of which it names the length. */
export const limitOfPeriod = new RegExp(
  `${period}.{0,200}?${measure}|${measure}.{0,200}?${period}|每(日|天|小?時|月)[^。]{0,20}(上限|限制|額度|配額)`,
)
/** A limit of the sender. */
export const senderLimit = new RegExp(
  `\\b(?:sending|send|submission|relay(?:ing)?|outbound|outgoing|messages?|smtp|sender|tenant|customer|recipients?)[ -](?:quota|limits?|allowance|threshold)` +
    `|\\b${exceeded} (?:the |your |its |their |our |his |permitted |allowed |an? )?(?:[\\w-]+ ){0,3}${bound}\\b` +
    `|\\byour [^.;]{0,30}\\b${bound}\\b[^.;]{0,20}\\b(?:exceed\\w*|reached|used up|exhausted)` +
    `|\\bnot enough (?:sending )?quota|\\bsend(?:er|ing)?\\b[^.;]{0,30}\\bfrequency` +
    `|\\bno spam mail\\b|(?:寄信|發信|寄送|傳送)[^。]{0,12}(?:上限|限制|額度|配額|頻繁|過多)`,
)
/** A limit that does not say whose it is. */
export const someLimit = new RegExp(
  `\\b(?:quota|limits?|allowance|thresholds?)\\b[^.;]{0,30}\\b(?:exceed\\w*|reached|exhausted|used up|hit)|\\bexceed\\w* [^.;]{0,40}\\b${bound}\\b`,
)
/** The sender's account may send nothing for a while. */
export const suspended =
  /\b(sending(?! to\b)|send(?! to\b)|outbound|outgoing|submission|relay(ing)?|sender|your (account|mail|e-?mail|domain|smtp))\b[^.;]{0,40}\b(suspended|paused|disabled|stopped|halted|on hold|frozen)|\b(suspended|blocked|disabled|prevented|restricted) (from|for) sending|停止(寄信|發信|寄送)|(寄信|發信)[^。]{0,6}(停權|暫停)/

/** Connections are too many or too frequent: over within seconds or minutes. */
export const tooManyConnections =
  /\b(too many|concurrent|max(imum)?|connection)\b[^.;]{0,30}\b(connections?|connect|sessions?|threads?)\b|\b(connections?|sessions?|threads?) (rate |count |frequency )?(limit|limited|exceeded|frequency)|\bthread limit/
/** Mails come too fast. */
export const tooFast =
  /throttl|rate[ -]?limit|\brates?\b[^.;]{0,30}\b(exceed|limit|too high|reached)|\b(exceed\w*|max(imum)?|sending|submission|message|unusual|excessive|high)\b[^.;]{0,20}\brate\b|frequency|too (many (messages|mails|e-?mails|((bad|invalid|unknown) )?recipients|rcpts?|requests|errors|login)|much mail|fast|quickly|often|frequent\w*|soon)|slow(er| down)|(unusual|unexpected|excessive|high) (rate|volume)/

export const greylisted = /gr[ae]y-? ?list/

/** The sender may not send here, or from this address, until a person has changed something. */
export const notOurs =
  /relay(ing)? (access |mail )?(is )?(denied|not|prohibited)|(unable|not (allowed|configured|permitted)|denied|won'?t|do(es)? not|cannot|can't) to relay|(do(es)? not|won'?t|cannot|can't) relay|\bno relaying|mail relay denied|credentials for relay|allowed rcpthosts?|not verified|not authori[sz]ed to send|auth\w* (is )?required|must (first )?(auth|issue a starttls)|not authenticated|smtp auth/

/** A server of Exchange Online that has no such recipient in its directory, which says nothing else. */
export const deniedByDirectory = /recipient address(es)? rejected ?: access denied/

/** The mail breaks a rule of form. */
export const malformed =
  /\bheaders?\b|rfc ?2?5?[38]22\b|\bmime\b|8-bit data|bare (lf|cr|line)|line (is )?too long/

/** The sender, its address, host, name or signature. */
const sender =
  '\\bsenders?\\b|\\bsending (?:ip|host|mta|domain|server|address|network|of|mail|e-?mail|messages?|system)|\\bsent from\\b|\\b(?:e-?mails?|mails?|messages?|traffic|connections?|posts?) from\\b|\\benvelope\\b|\\bfrom[ -](?:address|domain|header|field)|\\bfrom:|\\breturn[ -]?path|\\breverse[ -]?path|\\bclient\\b|\\bhost (?:network|name|unknown to)|\\bhostname|\\byour (?:ip|host|server|domain|network|provider|isp|access|organi[sz]ation|system|mail ?server|reputation|computer|machine|remotehost|account)|\\b(?:ip|remote|connecting|originating)\\b|\\bhelo\\b|\\behlo\\b|\\bptr\\b|\\brdns\\b|\\breverse dns|\\bspf\\b|\\bdkim\\b|\\bdmarc\\b|\\barc\\b|\\bdomainkeys?\\b|\\bsignatures?\\b|\\bsigned\\b|authenticat|\\btls\\b|starttls|certificate|\\bbatv\\b|\\bspoof\\w*|\\b(?:relay|proxy|gateway|mailer|mail server|third-party|backscatter|purported|mailing list|members[- ]only|subscri\\w+)\\b|(?:é|e)metteur|exp(?:é|e)diteur|\\babsender|\\bremitente|not accepting connections|\\bgo away\\b|寄件|發信|發件|寄信'
/** A list on which the sender stands, a policy, what the server thinks of the sender or of the mail. */
const judgement =
  '\\b(?:black|block|deny|ban|reject|access)[ -]?list|\\b(?:block|bann|black ?list|deni|prohibit|forbidd|refus|restrict)(?:ed|en|es)?\\b|\\blisted\\b|\\b(?:rbl|dnsbl|uribl|surbl|drbl|sbl|xbl|pbl|csi)\\b|\\bfound (?:in|on)\\b|\\bpolic(?:y|ies)\\b|\\bprohibition|\\bnot (?:allowed|permitted|authori[sz]ed|welcome)|unauthori[sz]ed|\\badministrat|\\bsecurity\\b|\\brules?\\b|\\bviolat|\\breputation|\\bcomplain|\\babus|\\bsuspicious|\\btrust|\\bscore|unsolicited|\\bspam|\\bjunk|\\bbulk\\b|\\bube\\b|\\bphish|\\bvirus|\\bmalware|\\binfected|\\bthreat|\\bcontents?\\b|\\battachment|\\bfilter|\\bquarantin|\\badvertis|\\bexceed|\\bquota\\b|\\blimit(?:s|ed)?\\b|permanently deferred|黑名單|垃圾|政策|信譽|簽章|拒絕連線|封鎖|阻擋'

/** The sender, a list, a policy, a reputation, a signature or a limit: whatever the code, not the mailbox. */
export const aboutSender = new RegExp(`${sender}|${judgement}`)

/** Lists that a link alone may name. */
export const listNames =
  /spamhaus|spamcop|sorbs\.|barracuda(central|networks)|abuseat|cloudmark|invaluement|hostkarma|junkemailfilter|senderbase|talosintel|uribl|surbl|dnsbl|\brbl\b|ipcheck|reputation|delist|blocklist|blacklist/

/** Trouble of the server, or one that passes. */
export const ownTrouble =
  /\btemporar|try (again )?later|\b(internal|local|system|server|config\w*|configuration|lookup|dns) (server )?(errors?|problems?|failures?|failed)|service (is )?(currently |temporarily )?(unavailable|not available)|\btime[d ]?-?out\b|\bloop|write error|out of memory|too many (hops|received)/

const who =
  '(?:users?|user ?names?|mail ?box(?:es)?|recipients?|accounts?|addresse?s?|addressees?|destinations?|alias(?:es)?|persons?|customers?|local[ -]?parts?|subscribers?|rcpt|inbox)'
const gone =
  "(?:unknown|invalid|inactive|deactivated|disabled|discontinued|suspended|terminated|expired|frozen|closed|archived|deleted|removed|unavailable|not (?:a )?(?:valid|known|found|present|active|exist\\w*|recogni[sz]ed|listed in our directory)|no longer|(?:do(?:es)? ?n[o']t|doesnt|not) exist|(?:is|was|were) not found|not in (?:our|the) directory|couldn't be found|could not be found|has moved|moved)"

/** The mailbox is unknown, does not exist, is disabled or has moved. */
export const mailboxGone = new RegExp(
  [
    // "user unknown", "the email account that you tried to reach does not exist"
    `\\b${who}\\b(?!,)(?: [^.;:]{0,50}?)?[ :(]*\\b${gone}`,
    // "unknown user", "no such mailbox", "invalid e-mail address"
    `\\b(?:unknown|invalid|no such|no|non-?exist[ae]nt|inactive|deactivated|disabled|archived|illegal|unrecogni[sz]ed|undeliverable|unrout(?:e)?able|bad|malformed) (?:or (?:unknown|illegal|invalid|inactive) )?(?:e-?mail |mail |local |destination |mail box |mailbox |recipient )*${who}\\b`,
    `\\bdoesn't have an? \\S+ account|\\bno ?one at this address|\\buser ?unknown`,
    `\\bnot an? (?:valid|known|active|registered) (?:e-?mail )?${who}\\b`,
    `\\bnot (?:our|a) (?:local )?(?:user|customer|mailbox|recipient)\\b|\\buser not local`,
    `\\baddress syntax`,
    `\\b(?:recipient|user|mailbox) (?:is )?no longer\\b|\\bno longer (?:valid|on server|accepts mail|available|in use)`,
    `\\b(?:host|domain|server) does not (?:accept|receive) (?:any )?mail|\\bnull ?mx`,
    `\\brecip(?:ient)?notfound|\\bnot found by smtp address lookup`,
    '使用者不存在|無此(?:使用者|帳號|信箱|收件人)|查無此|(?:帳號|信箱|收件人|收件者)(?:不存在|已停用|已關閉)',
  ].join('|'),
)
