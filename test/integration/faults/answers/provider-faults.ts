import type { Channel } from '../../../../src/contract/enums.ts'
import type { FarEndDelivery } from '../../../fixtures/delivery.ts'
import { updateRows } from '../../../fixtures/rows.ts'
import type { Person } from './failure-run.ts'

/**
 * A permanent failure of a provider, or of one of Carillon's steps, for one recipient. `ends`: the recipient's outcome.
 * `together`: the outcome of the other members of their call, if the call's outcome stays unclear.
 */
export type ProviderFault = {
  name: string
  plant(fixture: FarEndDelivery, person: Person): Promise<unknown>
  ends: string
  together?: string
  /** How long the adapters wait for a delayed response (ms of real time). */
  timeoutMs?: number
  /** Clears the provider's faults. */
  passes?: true
}

const always = 1_000_000

/** A silent provider does not respond for longer than the adapters wait. */
const silent = { delayMs: 400, timeoutMs: 300 }

/** Every class of answer of the chat provider, with its own texts and with others, with each header. */
const answers: [name: string, fault: object, ends: string, together?: string][] = [
  [
    '400, naming them',
    { status: 400, body: { message: "The property, 'to', in the request body is invalid" } },
    'failed invalid_recipient',
  ],
  [
    '400, naming no recipient',
    { status: 400, body: { message: 'Failed to send messages' } },
    'failed unreachable_recipient',
  ],
  ['400, not in its own form', { status: 400, body: '<html>Bad Request</html>' }, 'failed unexpected_answer'],
  ['401', { status: 401 }, 'failed http_401'],
  ['403', { status: 403 }, 'failed http_403'],
  ['404', { status: 404 }, 'failed http_404'],
  ['405', { status: 405, body: '' }, 'failed http_405'],
  ['408', { status: 408 }, 'failed http_408'],
  [
    '409 that names no retry key',
    { status: 409, body: { message: 'Conflict' } },
    'unknown too_old',
    'unknown too_old',
  ],
  ['410', { status: 410 }, 'failed http_410'],
  ['413', { status: 413 }, 'failed too_large'],
  ['415', { status: 415 }, 'failed http_415'],
  ['422', { status: 422, body: '{"message": 7}' }, 'failed http_422'],
  ['302', { status: 302, body: '' }, 'failed http_302'],
  ['429', { status: 429 }, 'failed throttled'],
  ['429 for two seconds', { status: 429, retryAfter: 2 }, 'failed throttled'],
  ['429 for three million years', { status: 429, retryAfter: '99999999999999' }, 'failed throttled'],
  [
    '429 until a date in the past',
    { status: 429, retryAfter: 'Thu, 01 Jan 1970 00:00:00 GMT' },
    'failed throttled',
  ],
  [
    '429 until a date far ahead',
    { status: 429, retryAfter: 'Fri, 31 Dec 9999 23:59:59 GMT' },
    'failed throttled',
  ],
  ['429 for "soon"', { status: 429, retryAfter: 'soon' }, 'failed throttled'],
  [
    '429, monthly limit exhausted',
    { status: 429, body: { message: 'You have reached your monthly limit.' } },
    'failed quota',
  ],
  ['500', { status: 500 }, 'unknown too_old', 'unknown too_old'],
  ['502, a page', { status: 502, body: '<html>' }, 'unknown too_old', 'unknown too_old'],
  ['503 for a day', { status: 503, retryAfter: 86_400 }, 'unknown too_old', 'unknown too_old'],
  ['no answer in time', { status: 500, delayMs: silent.delayMs }, 'unknown too_old', 'unknown too_old'],
  ['half an answer', { status: 500, cut: 'mid-reply' }, 'unknown too_old', 'unknown too_old'],
]

const chat = answers.map(
  ([name, fault, ends, together]): ProviderFault => ({
    name,
    plant: ({ chat: far }, { address }) => far.fault({ to: address, times: always, ...fault }),
    ends,
    passes: true,
    ...('delayMs' in fault && { timeoutMs: silent.timeoutMs }),
    ...(together !== undefined && { together }),
  }),
)

/** Every class of reply of a mail server, in each phase of a mail. */
const replies: [name: string, fault: object, ends: string][] = [
  ['RCPT 421 4.3.2', { status: 421, message: '4.3.2 Service shutting down' }, 'failed throttled'],
  ['RCPT 421', { status: 421, message: 'closing transmission channel' }, 'failed busy'],
  ['RCPT 450, greylisted', { status: 450 }, 'failed greylisted'],
  ['RCPT 450, too many', { status: 450, message: '4.7.0 too many messages' }, 'failed throttled'],
  [
    'RCPT 450, too many for them',
    { status: 450, message: '4.7.0 too many messages to this mailbox' },
    'failed later',
  ],
  ['RCPT 451 4.3.0', { status: 451, message: '4.3.0 temporary lookup failure' }, 'failed later'],
  ['RCPT 452, full', { status: 452 }, 'failed mailbox_full'],
  ['RCPT 454, rate', { status: 454 }, 'failed throttled'],
  [
    'RCPT 454, daily quota',
    { status: 454, message: 'Throttling failure: Daily message quota exceeded.' },
    'failed quota',
  ],
  ['RCPT 500', { status: 500, message: '5.5.1 command not recognized' }, 'failed rejected'],
  ['RCPT 501', { status: 501, message: 'bad address syntax' }, 'failed bad_address'],
  ['RCPT 504', { status: 504, message: '5.5.2 need fully-qualified address' }, 'failed rejected'],
  ['RCPT 550', { status: 550 }, 'failed bad_address'],
  ['RCPT 550 5.1.8', { status: 550, message: '5.1.8 domain not found' }, 'failed rejected'],
  ['RCPT 550 5.7.1', { status: 550, message: '5.7.1 blocked' }, 'failed policy'],
  ['RCPT 552', { status: 552, message: 'mailbox full' }, 'failed mailbox_full'],
  ['RCPT 553', { status: 553, message: '5.1.3 bad syntax' }, 'failed bad_address'],
  ['RCPT 554, relay', { status: 554, message: '5.7.1 Relay access denied' }, 'failed rejected'],
  ['RCPT 555', { status: 555, message: '5.5.2 syntax error' }, 'failed rejected'],
  ['RCPT, hangs up', { action: 'cut' }, 'failed cut'],
  ['RCPT, silent', { delayMs: silent.delayMs }, 'failed timeout'],
  ['DATA, hangs up', { phase: 'data', action: 'cut' }, 'failed cut'],
  ['DATA 451', { phase: 'data', status: 451, message: '4.3.0 queue file write error' }, 'failed system'],
  ['DATA 554', { phase: 'data', status: 554 }, 'failed policy'],
  ['dot 421', { phase: 'dot', status: 421, message: '4.7.0 try again later' }, 'failed throttled'],
  [
    'dot 451 4.3.2',
    { phase: 'dot', status: 451, message: '4.3.2 system not accepting messages' },
    'failed system',
  ],
  ['dot 452', { phase: 'dot', status: 452, message: '4.3.1 insufficient storage' }, 'failed system'],
  ['dot 550', { phase: 'dot', status: 550, message: '5.7.1 content rejected' }, 'failed policy'],
  [
    'dot 554, not verified',
    { phase: 'dot', status: 554, message: 'Email address is not verified' },
    'failed rejected',
  ],
  ['dot, hangs up', { phase: 'dot', action: 'cut' }, 'unknown cut'],
]

const mail = replies.map(
  ([name, fault, ends]): ProviderFault => ({
    name,
    plant: ({ mail: far }, { address }) => far.fault({ phase: 'rcpt', to: address, times: always, ...fault }),
    ends,
    passes: true,
    ...('delayMs' in fault && { timeoutMs: silent.timeoutMs }),
  }),
)

const readdress = (to: (id: string) => string): ProviderFault['plant'] => {
  return ({ db }, { subjectId }) =>
    updateRows(db, 'address', { subject_id: subjectId }, { address: to(subjectId) })
}

/** Failures on Carillon's side. */
const ours: Record<Channel, ProviderFault[]> = {
  chat: [
    {
      name: 'an invalid address',
      plant: readdress((id) => `nobody ${id}`),
      ends: 'failed invalid_recipient',
    },
    {
      name: 'an address that no header can contain',
      plant: readdress((id) => `U\u{1f600}${id}`),
      ends: 'failed invalid_recipient',
    },
  ],
  email: [
    {
      name: 'an address that no envelope can contain',
      plant: readdress((id) => `"${id}@evil.example>"@b.example`),
      ends: 'failed bad_address',
    },
    {
      name: 'an address without a public domain',
      plant: readdress((id) => `${id}@intranet`),
      ends: 'failed bad_address',
    },
    {
      name: 'an address with a line end',
      plant: readdress((id) => `${id}@b.example\r\nBcc: c@d.example`),
      ends: 'failed bad_address',
    },
    {
      name: 'links that cannot be signed',
      plant: async ({ unsignable }, { subjectId }) => unsignable.add(subjectId),
      ends: 'failed content',
    },
  ],
}

/** Every failure by channel; add new ones to the lists above. */
export const providerFaults: Record<Channel, ProviderFault[]> = {
  chat: [...ours.chat, ...chat],
  email: [...ours.email, ...mail],
}
