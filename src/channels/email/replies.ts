import type { Outcome } from '../../domain/message/outcome.ts'
import type { Failure, Phase } from './failure.ts'

/**
 * The meaning of a server's refusal. Reply codes: RFC 5321, 4.2.2 and 4.3.2; enhanced status codes: RFC 3463 and 5248;
 * AUTH: RFC 4954; greylisting: RFC 6647; null MX: RFC 7505. Sending services report their limits by 4xx and text
 * (Amazon SES: "454 Throttling failure: Maximum sending rate exceeded", "… Daily message quota exceeded").
 */
type Rule = {
  in?: Phase[]
  /** The three digits. */
  code?: RegExp
  /** The enhanced status code, empty if missing. */
  status?: RegExp
  words?: RegExp
  means: Meaning
}
/** The kind of outcome, and its code if that is not the server's own. */
type Meaning =
  | [kind: 'quota' | 'throttled' | 'misconfigured', code?: undefined]
  | [kind: 'deferred', code: 'mailbox_full' | 'greylisted' | 'later']
  | [kind: 'refused', code: 'bad_address' | 'mailbox_full' | 'too_large' | 'policy' | 'content' | 'rejected']
  | [kind: 'unavailable', code: 'busy' | 'system']

const session: Phase[] = ['connect', 'login']
const recipient: Phase[] = ['recipient', 'data', 'end']

const tooFast = /throttl|rate limit|too (many|fast|quickly)|sending rate|slow down/i
const notOurs =
  /relay(ing)? (access )?(denied|not|prohibited)|unable to relay|not verified|not authori[sz]ed to send/i

/** The first matching rule applies. */
const rules: Rule[] = [
  // limits of the account or its rate; a mailbox reports its own limits as 4.2.x
  { code: /^4/, words: /throttling failure.*quota|(daily|monthly)\b.*\b(quota|limit)/i, means: ['quota'] },
  { code: /^4/, words: /gr[ae]y-?list/i, in: recipient, means: ['deferred', 'greylisted'] },
  { code: /^4/, status: /^4\.2\.2/, in: recipient, means: ['deferred', 'mailbox_full'] },
  { code: /^4/, status: /^4\.2\./, in: recipient, means: ['deferred', 'later'] },
  { code: /^4/, words: tooFast, means: ['throttled'] },
  { code: /^421/, status: /^4\.(7\.|4\.5|3\.2)/, means: ['throttled'] },

  // configuration: login, sender, permissions
  { code: /^5/, in: session, means: ['misconfigured'] },
  { code: /^53[0458]/, means: ['misconfigured'] },
  { code: /^(500|502|503|504|555)/, means: ['misconfigured'] },
  { code: /^5/, status: /^5\.1\.[78]/, means: ['misconfigured'] },
  { code: /^5/, words: notOurs, means: ['misconfigured'] },

  // the mail itself
  { code: /^5/, status: /^5\.(3\.4|2\.3)/, means: ['refused', 'too_large'] },
  { code: /^552/, status: /^$/, in: ['sender', 'end'], means: ['refused', 'too_large'] },
  { code: /^5/, status: /^5\.6\./, means: ['refused', 'content'] },
  { code: /^5/, in: ['sender'], means: ['misconfigured'] },

  // this recipient
  { code: /^5/, status: /^5\.1\.|^5\.2\.1/, means: ['refused', 'bad_address'] },
  { code: /^5/, status: /^5\.2\.2/, means: ['refused', 'mailbox_full'] },
  { code: /^552/, in: ['recipient'], means: ['refused', 'mailbox_full'] },
  { code: /^5/, status: /^5\.7\./, means: ['refused', 'policy'] },
  { code: /^(501|550|551|553|556)/, status: /^$/, in: ['recipient'], means: ['refused', 'bad_address'] },
  { code: /^5/, means: ['refused', 'rejected'] },

  // temporary: for this recipient, or for the whole server
  { code: /^421/, means: ['unavailable', 'busy'] },
  { code: /^4/, in: ['connect', 'login', 'sender'], means: ['unavailable', 'system'] },
  { code: /^4/, status: /^4\.3\./, in: ['data', 'end'], means: ['unavailable', 'system'] },
  { code: /^452/, status: /^$/, in: ['end'], means: ['unavailable', 'system'] },
  { code: /^45[01]/, status: /^(4\.7\.1|)$/, in: recipient, means: ['deferred', 'greylisted'] },
  { code: /^4/, means: ['deferred', 'later'] },
]

/**
 * What a failed try means for its recipient. `suspectedCode`: the refusal's text points at the account, its phase at
 * this recipient; the next recipient's try decides.
 */
export type ReplyMeaning = { outcome: Outcome; suspectedCode?: string }

/** The outcome of a failed try. `failed` names `to` if the address is at fault. */
export function outcomeOfReply(failure: Failure, to: string): ReplyMeaning {
  const general = beforeRecipient.includes(failure.phase) ? ({ general: true } as const) : {}
  if ('code' in failure) {
    const { code, phase } = failure
    return { outcome: { kind: 'unavailable', code, certain: phase !== 'end', ...general } }
  }
  const { phase, reply } = failure
  const rule = rules.find((one) => fits(one, phase, reply))
  // Not a refusal: one side violated the protocol, so after the end of the mail the outcome is unclear.
  if (!rule)
    return { outcome: { kind: 'unavailable', code: 'protocol', certain: phase !== 'end', ...general } }
  const [kind, code] = rule.means
  switch (kind) {
    case 'refused':
      return { outcome: { kind, code, ...(code === 'bad_address' && { failed: [to] }) } }
    case 'misconfigured': {
      const doubt = `smtp_${reply.slice(0, 3)}`
      if (general.general) return { outcome: { kind, code: doubt, ...general } }
      return { outcome: { kind: 'refused', code: 'rejected' }, suspectedCode: doubt }
    }
    case 'deferred':
      return { outcome: { kind, code, ...waiting(reply) } }
    case 'unavailable':
      return { outcome: { kind, code, certain: true, ...waiting(reply), ...general } }
    case 'throttled':
      return { outcome: { kind, ...waiting(reply), ...general } }
    case 'quota':
      return { outcome: { kind, ...general } }
  }
}

/** A refusal in these phases comes before the server has seen a recipient. */
const beforeRecipient: readonly Phase[] = ['connect', 'login', 'sender']

function fits({ in: phases, code, status, words }: Rule, phase: Phase, reply: string): boolean {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? ''
  return (
    (phases?.includes(phase) ?? true) &&
    (code?.test(reply) ?? true) &&
    (status?.test(enhanced) ?? true) &&
    (words?.test(reply.replace(/(?<!\S)\S+@\S+/g, '')) ?? true) // a reply may repeat the address
  )
}

const longestWaitMs = 3_600_000

/** How long the server asks to wait ("try again in 300 seconds"), if it does. */
function waiting(reply: string): { retryAfterMs?: number } {
  const [, number, unit] =
    /\b(?:in|after) (\d{1,5}) ?(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?)\b/i.exec(reply) ?? []
  if (number === undefined) return {}
  const seconds = Number(number) * (unit!.toLowerCase().startsWith('m') ? 60 : 1)
  return { retryAfterMs: Math.min(seconds * 1_000, longestWaitMs) }
}
