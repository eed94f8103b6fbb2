import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Phase } from '../../../../src/channels/email/failure.ts'
import { outcomeOfReply } from '../../../../src/channels/email/replies.ts'

const ann = 'ann@example.edu'

/** What stands before the words: codes of which some say that the mailbox does not exist. */
const codes = [
  '550',
  '550 5.1.1',
  '550-5.1.1',
  '553 5.1.2',
  '501 5.1.3',
  '554 5.2.1',
  '550 #5.1.1',
  '551',
  '556 5.1.10',
]

const spellings = [
  (words: string) => words,
  (words: string) => words.toUpperCase(),
  (words: string) => words.replaceAll(' ', '  '),
  (words: string) => `<${ann}>: ${words}`,
  (words: string) => `${words} (#5.1.1)`,
  (words: string) => words.replace(' ', '\n550 5.1.1 '),
  (words: string) => `${words} - https://postmaster.example.edu/no-such-user`,
]

const atRecipient = fc.constantFrom<Phase>('recipient', 'data', 'end')

function replies(words: string[]) {
  return fc
    .tuple(fc.constantFrom(...codes), fc.constantFrom(...words), fc.constantFrom(...spellings))
    .map(([code, text, spell]) => `${code} ${spell(text)}`)
}

/** A session reads bytes. */
const onTheWire = (reply: string) => Buffer.from(reply).toString('latin1')

const outcomeOf = (phase: Phase, reply: string) =>
  outcomeOfReply({ phase, reply: onTheWire(reply) }, ann).outcome

describe('an address is never suppressed, whatever the code,', () => {
  const about = {
    'for words about the sender': [
      'Sender address rejected: not found',
      'sender user unknown',
      'Bad outbound sender',
      'mail from hub.example.edu is not wanted: mailbox unavailable',
      'your domain does not exist',
      'the return-path mailbox does not exist',
      'Client host rejected: cannot find your hostname',
      'HELO address invalid',
      'envelope sender is invalid',
      '寄件者不存在',
    ],
    'for words about a list': [
      'Mailbox unavailable, IP listed by an RBL',
      'JunkMail rejected',
      'junk mail: user unknown',
      'host is black-listed',
      'Blocklisted recipient',
      'block list S3150',
      'found on one or more DNSBLs',
      'see www.spamhaus.org, user unknown',
      'banned: no such user',
      '黑名單',
    ],
    'for words about a policy': [
      'policy: recipient unknown',
      'Recipient address rejected: Access denied',
      'Administrative prohibition',
      'not allowed: no such user',
      'denied by the security gateway',
      'refused',
      'unsolicited bulk mail',
      'message content rejected: invalid user',
      'quarantined',
      'Our filters rate at and above 90 percent probability of being spam',
    ],
    'for words about reputation': [
      'poor reputation',
      'too many complaints',
      'abuse from your network',
      'suspicious',
    ],
    'for words about a signature': [
      'DKIM signature invalid: user unknown',
      'SPF fail',
      'fails DMARC: no such mailbox',
      'unauthenticated mail',
      'no PTR record for mailbox unknown',
    ],
    'for words about a limit': [
      'limit reached: no such user',
      'quota exceeded',
      'too many messages: user unknown',
    ],
  }

  it.each(Object.entries(about))('%s', (_, words) => {
    fc.assert(
      fc.property(atRecipient, replies(words), (phase, reply) => {
        const outcome = outcomeOf(phase, reply)
        expect('code' in outcome ? outcome.code : outcome.kind).not.toBe('bad_address')
        expect(outcome).not.toHaveProperty('failed')
      }),
      { numRuns: 2_000 },
    )
  })
})

it('words about the mailbox suppress its address, whatever the code', () => {
  const words = [
    'User unknown',
    'No such user here',
    'Unknown recipient',
    'mailbox does not exist',
    "The user doesn't exist",
    'The email account that you tried to reach does not exist',
    'This mailbox is disabled',
    'Account has been disabled or discontinued',
    'recipient no longer on server',
    'user has moved',
    'no mailbox by that name is currently available',
    'Invalid mailbox',
    'The mailbox you are sending to is disabled',
    'mailbox not found',
    '使用者不存在',
  ]
  fc.assert(
    fc.property(
      atRecipient,
      fc.constantFrom('550', '553 5.7.1', '554', '552 1', '550 5.5.0', '503'),
      fc.constantFrom(...words),
      (phase, code, text) => {
        const outcome = outcomeOf(phase, `${code} <${ann}>: ${text}`)
        expect(outcome).toMatchObject({ kind: 'refused', code: 'bad_address', failed: [ann] })
      },
    ),
  )
})

describe('a limit of the sender', () => {
  const words = [
    'Daily user sending limit exceeded',
    'Daily sending quota exceeded',
    'daily limit reached',
    'Hourly quota exceeded',
    'You have exceeded your hourly limit',
    'exceeded the max emails per hour (125/100)',
    'limit of 500 messages per 24 hours reached',
    'You have sent too many messages in the last 24 hours',
    'Too many messages today',
    'Sending suspended',
    'Sending is temporarily paused for this account',
    'outgoing mail from this account has been suspended',
    'Monthly sending quota exceeded',
    'sending quota exceeded',
    'message quota exceeded',
    "You've reached your daily relay quota",
    'relay limit exceeded',
    'Submission quota exceeded',
    'maximum number of recipients per day exceeded',
    'per-day limit reached',
    'Too many recipients received this hour',
    'hourly rate exceeded',
  ]
  const phases: Phase[] = ['connect', 'login', 'sender', 'recipient', 'data', 'end']

  it('is one at any phase, with any first digit and any code', () => {
    const code = fc.constantFrom(
      '550 5.4.5',
      '450 4.2.1',
      '454',
      '421 4.7.0',
      '550 5.1.1',
      '552 5.2.2',
      '535',
      '452 4.2.2',
      '550',
    )
    fc.assert(
      fc.property(fc.constantFrom(...phases), code, fc.constantFrom(...words), (phase, start, text) => {
        expect(outcomeOf(phase, `${start} ${text}`)).toMatchObject({ kind: 'quota', retryAfterMs: 3_600_000 })
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['try again in 24 hours', 86_400_000],
    ['please retry after 3 hours', 10_800_000],
    ['Sending resumes in 2 days', 86_400_000],
    ['try again in 600 seconds', 600_000],
    ['limit of 500 mails in 24 hours', 3_600_000],
  ])('holds as long as the reply says, at most a day: %s', (text, ms) => {
    expect(outcomeOf('end', `550 5.4.5 Daily sending limit exceeded, ${text}`)).toMatchObject({
      retryAfterMs: ms,
    })
  })

  it.each(['until {iso}', 'it resets at {iso}'])(
    'holds until the moment that the reply names: %s',
    (text) => {
      const inTwoHours = new Date(Date.now() + 7_200_000).toISOString()
      const outcome = outcomeOf(
        'end',
        `452 4.3.1 Hourly quota exceeded, ${text.replace('{iso}', inTwoHours)}`,
      )
      expect(outcome).toMatchObject({ kind: 'quota' })
      const { retryAfterMs = 0 } = outcome as { retryAfterMs?: number }
      expect(retryAfterMs).toBeGreaterThan(7_100_000)
      expect(retryAfterMs).toBeLessThanOrEqual(7_200_000)
    },
  )

  it('is not what a mailbox says of itself', () => {
    for (const reply of [
      '552 5.2.2 Over quota',
      '452 4.2.2 Mailbox full',
      '552 5.2.2 user is over quota',
      '450 4.2.1 The user is receiving mail too quickly',
      '550 5.2.1 receiving mail at a rate that prevents additional messages from being delivered',
      '552 Mailbox has exceeded its limit',
      '450 4.7.0 too many messages to this mailbox',
      "452 4.2.1 The recipient's inbox is over the daily limit",
      '554 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour',
    ])
      expect(['mailbox_full', 'later']).toContain((outcomeOf('recipient', reply) as { code?: string }).code)
  })
})

it('nothing is read from the recipient’s own address, whole or in parts', () => {
  const outcomeFor = (to: string, reply: string) => outcomeOfReply({ phase: 'recipient', reply }, to).outcome
  const gone = { kind: 'refused', code: 'bad_address' }
  expect(outcomeFor('1@example.edu', '550 5.1.1 no mailbox 1 here')).toMatchObject(gone)
  expect(outcomeFor('sender.policy@spam-list.example', '550 User sender.policy unknown')).toMatchObject(gone)
  expect(outcomeFor('a1@spam-list.example', '550 5.1.1 User unknown in spam-list.example.')).toMatchObject(
    gone,
  )
  expect(outcomeFor('no.such.user@example.edu', '550 no.such.user rejected by policy')).toMatchObject({
    code: 'policy',
  })
})

it('a size that is too large is the mail’s, and no limit of the sender', () => {
  for (const words of [
    'Message exceeds fixed limit',
    'size limit exceeded',
    'exceeds the maximum message size',
  ])
    for (const code of ['552', '552 5.3.4', '554', '550 5.2.3'])
      expect(outcomeOf('end', `${code} ${words}`)).toMatchObject({ kind: 'refused', code: 'too_large' })
  expect(outcomeOf('end', '552 5.3.4 exceeds the maximum limit')).toMatchObject({ code: 'too_large' })
})

it('what no rule knows fails the one delivery, and nothing more', () => {
  const unknown = fc.constantFrom(
    '550',
    '554',
    '550 5.1.0',
    '550 5.9.9',
    '559 5.0.0',
    '571',
    '550 5.4.7',
    '599',
  )
  const words = fc.constantFrom(
    '',
    'no',
    'xyzzy',
    'Sorry',
    '?',
    'Lee is not here',
    'Requested action failed',
    '\u0000',
  )
  fc.assert(
    fc.property(atRecipient, unknown, words, (phase, code, text) => {
      expect(outcomeOf(phase, `${code} ${text}`)).toMatchObject({ kind: 'refused', code: 'rejected' })
    }),
  )
})
