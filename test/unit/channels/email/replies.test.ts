import { describe, expect, it } from 'vitest'
import type { Phase } from '../../../../src/channels/email/failure.ts'
import { outcomeOfReply } from '../../../../src/channels/email/replies.ts'
import { queueId } from '../../../../src/channels/email/send.ts'

const ann = 'ann@example.edu'

const outcomeOf = (...of: Parameters<typeof outcomeOfReply>) => outcomeOfReply(...of).outcome

/** The outcome in short: kind and code, and the code if a second recipient gets the same reply. */
function short(phase: Phase, reply: string): string {
  const { outcome, suspected } = outcomeOfReply({ phase, reply }, ann)
  if (outcome.kind === 'unavailable') expect(outcome.certain).toBe(true)
  const general = ['connect', 'login', 'sender'].includes(phase)
  if (outcome.kind !== 'refused') expect('general' in outcome).toBe(general && outcome.kind !== 'deferred')
  const text = 'code' in outcome ? `${outcome.kind} ${outcome.code}` : outcome.kind
  return suspected?.kind === 'misconfigured' ? `${text}, or ${suspected.code}` : text
}

describe('a rejection', () => {
  it.each<[Phase, string, string]>([
    // the address
    [
      'recipient',
      '550 5.1.1 <ann@example.edu>: Recipient address rejected: User unknown',
      'refused bad_address',
    ],
    ['recipient', '550 No such user here', 'refused bad_address'],
    ['recipient', '553 5.1.3 Bad destination mailbox address syntax', 'refused bad_address'],
    ['recipient', '556 5.1.10 Recipient address has null MX', 'refused bad_address'],
    ['recipient', '550 5.2.1 The email account that you tried to reach is disabled', 'refused bad_address'],
    ['recipient', '501 Bad address syntax', 'refused bad_address'],
    ['end', '550-5.1.1 The account does not exist\n550 5.1.1 Try again', 'refused bad_address'],
    // the mailbox, the mail, the policy
    ['recipient', '552 5.2.2 Over quota', 'refused mailbox_full'],
    ['recipient', '552 Mailbox full', 'refused mailbox_full'],
    ['end', '552 5.3.4 Message size exceeds fixed limit', 'refused too_large'],
    ['sender', '552 Message size exceeds maximum', 'refused too_large'],
    ['end', '550 5.7.1 Message content rejected', 'refused policy'],
    ['recipient', '550 5.7.1 Service unavailable; client host blocked', 'refused policy'],
    ['end', '554 5.6.0 Message contains invalid header', 'refused content'],
    ['end', '554 Transaction failed', 'refused rejected'],
    // a failure of the account
    ['login', '535 5.7.8 Authentication credentials invalid', 'misconfigured smtp_535'],
    ['connect', '554 5.7.1 Your IP is blocked', 'misconfigured smtp_554'],
    ['sender', '530 5.7.0 Must issue a STARTTLS command first', 'misconfigured smtp_530'],
    ['sender', '553 5.1.8 Sender address rejected: Domain not found', 'misconfigured smtp_553'],
    ['sender', '550 5.7.1 Not owned by user', 'misconfigured smtp_550'],
    // a failure of this recipient, or of the account if the next one fails alike
    ['recipient', '554 5.7.1 <ann@example.edu>: Relay access denied', 'refused rejected, or smtp_554'],
    ['recipient', '504 5.5.2 <ann@intranet>: need fully-qualified address', 'refused rejected, or smtp_504'],
    ['recipient', '555 5.5.2 Syntax error, goodbye', 'refused rejected, or smtp_555'],
    ['recipient', '550 5.1.8 <ann@example.edu>: Domain not found', 'refused rejected, or smtp_550'],
    ['recipient', '503 5.5.1 Bad sequence of commands', 'refused rejected, or smtp_503'],
    ['end', '554 Message rejected: Email address is not verified.', 'refused rejected, or smtp_554'],
  ])('at %s: %s', (phase, reply, meaning) => {
    expect(short(phase, reply)).toBe(meaning)
  })

  it('is not read from the address that a reply repeats', () => {
    expect(short('recipient', '550 5.1.1 <relay.denied@throttle.example>: unknown')).toBe(
      'refused bad_address',
    )
    expect(short('recipient', '450 4.1.1 <throttle@rate.example>: later')).toBe('deferred later')
  })

  it('names the recipient only where the address is at fault', () => {
    expect(outcomeOf({ phase: 'recipient', reply: '550 5.1.1 no' }, ann)).toMatchObject({ failed: [ann] })
    expect(outcomeOf({ phase: 'recipient', reply: '550 5.7.1 no' }, ann)).not.toHaveProperty('failed')
  })
})

describe('a temporary rejection', () => {
  it.each<[Phase, string, string]>([
    // this recipient alone
    [
      'recipient',
      '450 4.2.0 <ann@example.edu>: Greylisted, see http://postgrey.example',
      'deferred greylisted',
    ],
    ['recipient', '451 4.7.1 Please try again later', 'deferred greylisted'],
    ['recipient', '451 Requested action aborted', 'deferred greylisted'],
    [
      'recipient',
      '450 4.2.1 The user you are trying to contact is receiving mail too quickly',
      'deferred later',
    ],
    ['recipient', '452 4.2.2 Mailbox full', 'deferred mailbox_full'],
    ['recipient', '450 4.1.2 Recipient address rejected: Domain not found', 'deferred later'],
    ['recipient', '451 4.3.0 Temporary lookup failure', 'deferred later'],
    // the whole server
    ['end', '452 4.3.1 Insufficient system storage', 'unavailable system'],
    ['end', '451 4.3.0 Error: queue file write error', 'unavailable system'],
    ['sender', '451 4.3.0 Try again later', 'unavailable system'],
    ['connect', '421 4.3.0 Too busy', 'unavailable busy'],
    ['recipient', '421 Service not available, closing transmission channel', 'unavailable busy'],
    ['login', '454 4.7.0 Temporary authentication failure', 'unavailable system'],
    // the account's rate or quota
    ['end', '454 Throttling failure: Maximum sending rate exceeded.', 'throttled'],
    ['connect', '421 4.7.0 Try again later, closing connection', 'throttled'],
    ['connect', '421 Too many concurrent SMTP connections', 'throttled'],
    ['sender', '450 4.7.1 Error: too many mails from 10.0.0.1', 'throttled'],
    ['recipient', '421-4.7.28 Our system has detected an unusual rate\n421 4.7.28 of mail', 'throttled'],
    ['end', '454 Throttling failure: Daily message quota exceeded.', 'quota'],
  ])('at %s: %s', (phase, reply, meaning) => {
    expect(short(phase, reply)).toBe(meaning)
  })

  it('keeps the wait that the server asks for', () => {
    const greylisted = (words: string) =>
      outcomeOf({ phase: 'recipient', reply: `450 4.2.0 Greylisted, ${words}` }, ann)
    expect(greylisted('try again in 299 seconds')).toMatchObject({ retryAfterMs: 299_000 })
    expect(greylisted('please retry after 5 minutes')).toMatchObject({ retryAfterMs: 300_000 })
    expect(greylisted('see http://example.com/in/2030')).not.toHaveProperty('retryAfterMs')
  })
})

describe('a missing reply', () => {
  it('is certain until the end of the mail was written, and unclear after it', () => {
    const certain = { kind: 'unavailable', code: 'cut', certain: true }
    for (const phase of ['connect', 'login', 'sender'] as const)
      expect(outcomeOf({ phase, code: 'cut' }, ann)).toEqual({ ...certain, general: true })
    for (const phase of ['recipient', 'data', 'body'] as const)
      expect(outcomeOf({ phase, code: 'cut' }, ann)).toEqual(certain)
    expect(outcomeOf({ phase: 'end', code: 'timeout' }, ann)).toMatchObject({ certain: false })
    expect(outcomeOf({ phase: 'end', reply: '999 what?' }, ann)).toMatchObject({ certain: false })
  })
})

describe('the server’s id of a mail', () => {
  it('is read from the replies of well-known servers', () => {
    expect(queueId('250 2.0.0 Ok: queued as 4XyZ12AbC')).toBe('4XyZ12AbC')
    expect(queueId('250 OK id=1rXyZa-0001Ab-2C')).toBe('1rXyZa-0001Ab-2C')
    expect(queueId('250 Ok 0100018b5c3c0a4f-1234-000000')).toBe('0100018b5c3c0a4f-1234-000000')
    expect(queueId('250 2.6.0 <a.b@c> [InternalId=1] Queued mail for delivery')).toBeUndefined()
  })

  it('is never an address', () => {
    for (const reply of [
      '250 2.1.5 <ann@example.edu> Saved',
      '250 Ok ann@example.edu',
      '250 OK id=ann@example.edu',
      '250 ok',
    ])
      expect(queueId(reply)).toBeUndefined()
  })
})
