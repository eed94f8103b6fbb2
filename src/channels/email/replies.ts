import type { Outcome, ProviderFailure } from '../../domain/message/outcome.ts'
import type { Failure, Phase } from './failure.ts'
import * as say from './reply-words.ts'

/**
 * The meaning of a server's refusal. Reply codes: RFC 5321, 4.2.2 and 4.3.2; enhanced status codes: RFC 3463 and 5248;
 * AUTH: RFC 4954; greylisting: RFC 6647; null MX: RFC 7505. Servers use codes as they please, so words count first
 * (docs/design/provider-outcomes.md).
 */
type Rule = {
  in?: Phase[]
  /** The three digits. */
  code?: RegExp
  /** Subject and detail of the enhanced status code ("1.1" of 5.1.1), empty if missing; the class is that of the reply. */
  status?: RegExp
  words?: RegExp
  /** As `words`, in its links as well. */
  named?: RegExp
  means: Meaning
}
/** The kind of outcome, and its code if that is not the server's own. */
type Meaning =
  | [kind: 'quota' | 'throttled' | 'misconfigured' | 'full_or_quota', code?: undefined]
  | [kind: 'deferred', code: 'mailbox_full' | 'greylisted' | 'later']
  | [kind: 'refused', code: 'bad_address' | 'mailbox_full' | 'too_large' | 'policy' | 'content' | 'rejected']
  | [kind: 'unavailable', code: 'busy' | 'system']

const session: Phase[] = ['connect', 'login']
const recipient: Phase[] = ['recipient', 'data', 'end']

/** The first matching rule applies. */
const rules: Rule[] = [
  // words about the mail or the recipient's own mailbox
  { code: /^4/, words: say.greylisted, in: recipient, means: ['deferred', 'greylisted'] },
  { words: say.mailboxBusy, in: recipient, means: ['deferred', 'later'] },
  { code: /^4/, words: say.mailboxFull, in: recipient, means: ['deferred', 'mailbox_full'] },
  { code: /^5/, words: say.mailboxFull, in: recipient, means: ['refused', 'mailbox_full'] },
  { code: /^5/, words: say.tooLarge, means: ['refused', 'too_large'] },

  // words about a limit of the sender: one that passes by itself within minutes, or not
  { code: /^[45]/, words: say.limitOfPeriod, means: ['quota'] },
  { code: /^[45]/, words: say.suspended, means: ['quota'] },
  { code: /^5/, status: /^(3\.4|2\.3)$/, means: ['refused', 'too_large'] },
  { code: /^[45]/, words: say.tooManyConnections, means: ['throttled'] },
  { code: /^4/, words: say.tooFast, means: ['throttled'] },
  { code: /^[45]/, words: say.senderLimit, means: ['quota'] },
  { code: /^5/, words: say.tooFast, means: ['quota'] },
  { code: /^4/, status: /^2\.2$/, in: recipient, means: ['deferred', 'mailbox_full'] },
  { code: /^5/, status: /^2\.2$/, means: ['refused', 'mailbox_full'] },
  { code: /^552/, status: /^$/, words: say.someLimit, in: ['recipient'], means: ['refused', 'mailbox_full'] },
  { code: /^[45]/, words: say.someLimit, in: recipient, means: ['full_or_quota'] },
  { code: /^[45]/, words: say.someLimit, means: ['quota'] },
  { code: /^4/, status: /^2\./, in: recipient, means: ['deferred', 'later'] },
  { code: /^421/, status: /^(7\.|4\.5|3\.2)/, means: ['throttled'] },

  // words about the sender, a list, a policy, a reputation or a signature
  { code: /^5/, in: session, means: ['misconfigured'] },
  { code: /^5/, words: say.notOurs, means: ['misconfigured'] },
  { code: /^552/, in: ['sender'], status: /^$/, means: ['refused', 'too_large'] },
  { code: /^5/, in: ['sender'], means: ['misconfigured'] },
  { code: /^5/, status: /^1\.[78]$/, means: ['misconfigured'] },
  { code: /^5/, status: /^4\.1$/, words: say.deniedByDirectory, means: ['refused', 'bad_address'] },
  { code: /^5/, status: /^6\./, means: ['refused', 'content'] },
  { code: /^5/, words: say.aboutSender, means: ['refused', 'policy'] },
  { code: /^5/, named: say.listNames, means: ['refused', 'policy'] },
  { code: /^5/, words: say.malformed, means: ['refused', 'content'] },
  { code: /^5/, words: say.ownTrouble, means: ['refused', 'rejected'] },

  // words about the mailbox
  { code: /^5/, words: say.mailboxGone, means: ['refused', 'bad_address'] },

  // codes, of which those of the mailbox alone suppress
  { code: /^53[0458]|^(500|502|503|504|555)/, means: ['misconfigured'] },
  { code: /^552/, status: /^$/, in: ['end'], means: ['refused', 'too_large'] },
  { code: /^5/, status: /^(1\.(1|2|3|6|10)|2\.1)$/, means: ['refused', 'bad_address'] },
  { code: /^556/, status: /^$/, in: ['recipient'], means: ['refused', 'bad_address'] },
  { code: /^552/, in: ['recipient'], means: ['refused', 'mailbox_full'] },
  { code: /^5/, status: /^7\./, means: ['refused', 'policy'] },
  { code: /^5/, means: ['refused', 'rejected'] },

  // temporary: for this recipient, or for the whole server
  { code: /^421/, means: ['unavailable', 'busy'] },
  { code: /^4/, in: ['connect', 'login', 'sender'], means: ['unavailable', 'system'] },
  { code: /^4/, status: /^3\./, in: ['data', 'end'], means: ['unavailable', 'system'] },
  { code: /^452/, status: /^$/, in: ['end'], means: ['unavailable', 'system'] },
  { code: /^45[01]/, status: /^(7\.1|)$/, in: recipient, means: ['deferred', 'greylisted'] },
  { code: /^4/, means: ['deferred', 'later'] },
]

/**
 * What a failed try means for its recipient. `suspected`: the refusal's text points at the account, its phase at this
 * recipient; it is this failure if the next recipient meets it as well.
 */
export type ReplyMeaning = { outcome: Outcome; suspected?: ProviderFailure }

/** The outcome of a failed try. `failed` names `to` if the address is at fault. */
export function outcomeOfReply(failure: Failure, to: string): ReplyMeaning {
  const general = beforeRecipient.includes(failure.phase) ? ({ general: true } as const) : {}
  if ('code' in failure) {
    const { code, phase } = failure
    return { outcome: { kind: 'unavailable', code, certain: phase !== 'end', ...general } }
  }
  const { phase } = failure
  const reply = readReply(failure.reply, to)
  const rule = rules.find((one) => fits(one, phase, reply))
  // Not a refusal: one side violated the protocol, so after the end of the mail the outcome is unclear.
  if (!rule)
    return { outcome: { kind: 'unavailable', code: 'protocol', certain: phase !== 'end', ...general } }
  const [kind, code] = rule.means
  const unseen = phase === 'recipient' || phase === 'data' ? ({ unseen: true } as const) : {}
  switch (kind) {
    case 'refused':
      return { outcome: { kind, code, ...(code === 'bad_address' && { failed: [to] }), ...unseen } }
    case 'misconfigured': {
      const doubt: ProviderFailure = { kind, code: `smtp_${reply.code}` }
      if (general.general) return { outcome: { ...doubt, ...general } }
      return { outcome: { kind: 'refused', code: 'rejected', ...unseen }, suspected: doubt }
    }
    case 'deferred':
      return { outcome: { kind, code, ...waiting(reply) } }
    case 'unavailable':
      return { outcome: { kind, code, certain: true, ...waiting(reply), ...general } }
    case 'throttled':
      return { outcome: { kind, ...waiting(reply), ...general } }
    case 'quota': {
      const limit: ProviderFailure = { kind, retryAfterMs: untilReset(reply) }
      return { outcome: { ...limit, ...general }, suspected: { ...limit, general: true } }
    }
    case 'full_or_quota': {
      const limit: ProviderFailure = { kind: 'quota', retryAfterMs: untilReset(reply), general: true }
      const full = { code: 'mailbox_full', ...waiting(reply) } as const
      const outcome: Outcome = { kind: reply.code.startsWith('4') ? 'deferred' : 'refused', ...full }
      return { outcome, suspected: limit }
    }
  }
}

/** A refusal in these phases comes before the server has seen a recipient. */
const beforeRecipient: readonly Phase[] = ['connect', 'login', 'sender']

/** A reply as the rules read it. `words`: without what is not the server's own word; `text`: with its links. */
type Reply = { code: string; status: string; words: string; text: string }

/** Servers repeat addresses, whose letters mean nothing, and write one sentence over several lines. */
function readReply(reply: string, to: string): Reply {
  const decoded = Buffer.from(reply.slice(0, longestRead), 'latin1').toString('utf8').toLowerCase()
  const text = withoutAddress(decoded.replace(/^\d{3}[ -]?/gm, ' '), to.toLowerCase())
  const status = enhanced.exec(text)?.[1] ?? ''
  const words = text.replace(new RegExp(enhanced, 'g'), ' ').replace(/https?:\/\/\S+/g, ' ')
  return {
    code: reply.slice(0, 3),
    status,
    words: words.replace(/[’‘`]/g, "'").replace(/[\s_]+/g, ' '),
    text,
  }
}

/** How much of a reply is read. */
const longestRead = 2_000

/** An enhanced status code, and no part of an IP address. */
const enhanced = /(?<![\d.])[245]\.(\d{1,3}\.\d{1,3})(?!\.?\d)/

function withoutAddress(text: string, to: string): string {
  const at = to.lastIndexOf('@')
  // A plain word, such as the local part of user@example.edu, is left: it may be the server's own.
  const own = [to.slice(0, at), to.slice(at + 1)].filter((part) => part.length > 3 && /[^a-z]/.test(part))
  const rest = to.length > 3 ? text.replaceAll(to, ' ') : text
  return rest
    .replace(/(?<![^\s<>()[\],;:"'])[^\s<>()[\],;:"'@]+@[^\s<>()[\],;:"']+/g, ' ')
    .replace(/[\w.+-]+/g, (word) =>
      own.includes(word.endsWith('.') ? word.slice(0, -1) : word) ? ' ' : word,
    )
}

function fits({ in: phases, code, status, words, named }: Rule, phase: Phase, reply: Reply): boolean {
  return (
    (phases?.includes(phase) ?? true) &&
    (code?.test(reply.code) ?? true) &&
    (status?.test(reply.status) ?? true) &&
    (words?.test(reply.words) ?? true) &&
    (named?.test(reply.text) ?? true)
  )
}

const hourMs = 3_600_000
const longestWaitMs = hourMs
/** How long a limit of the sender holds where the server does not say, and at most. */
const limitWaitMs = { usual: hourMs, longest: 24 * hourMs }

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: hourMs, d: 24 * hourMs }

/** How long the server asks to wait ("try again in 300 seconds"), if it does. */
function waiting({ words }: Reply): { retryAfterMs?: number } {
  const [, number, unit] =
    /\b(?:in|after) (\d{1,5}) ?(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?)\b/.exec(words) ?? []
  if (number === undefined) return {}
  return { retryAfterMs: Math.min(Number(number) * unitMs[unit![0]!]!, longestWaitMs) }
}

/** How long a limit of the sender holds: until its reset, if the reply says when. */
function untilReset(reply: Reply): number {
  const { words } = reply
  const [, number, unit] =
    /\b(?:again|retry|wait|resets?|lifted|unblocked|available|resumes?|expires?|suspended|paused)\b[^.;]{0,30}?\b(?:in|after|for) (\d{1,5}) ?(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ou)?rs?|h|d(?:ays?)?)\b/.exec(
      words,
    ) ?? []
  const stated = number === undefined ? momentIn(words) : Number(number) * unitMs[unit![0]!]!
  return Math.min(stated ?? waiting(reply).retryAfterMs ?? limitWaitMs.usual, limitWaitMs.longest)
}

/** How long it is until the moment that a reply names ("until 2026-12-01T00:00:00Z", "resets at 00:00 UTC"). */
function momentIn(words: string): number | undefined {
  const now = Date.now()
  const [date] =
    /\b\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)? ?(?:z|utc|gmt|[+-]\d{2}:?\d{2})/.exec(words) ??
    []
  const at = date === undefined ? Number.NaN : Date.parse(date.toUpperCase().replace(/ ?(UTC|GMT)$/, 'Z'))
  if (at > now) return at - now
  const [, hour, minute] = /\b(?:at|until) (\d{2}):(\d{2})(?::\d{2})? ?(?:z|utc|gmt)\b/.exec(words) ?? []
  if (hour === undefined) return undefined
  const today = new Date(now).setUTCHours(Number(hour), Number(minute), 0, 0)
  return today > now ? today - now : today + 24 * hourMs - now
}
