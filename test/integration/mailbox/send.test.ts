import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import tls from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { inGroups, mailbox, mailerTo, mailsTo, mailTo, scripted } from '../../fixtures/mailbox.ts'
import { eventually } from '../../harness/eventually.ts'

const kinds = (outcomes: Outcome[]) => outcomes.map(({ kind }) => kind)
const notSent = (code: string) => ({ kind: 'unavailable', code, certain: true })
const general = { general: true }
const aborted = notSent('aborted')

describe('sending mail', () => {
  it.each([
    ['one after another', {}],
    ['in groups', inGroups],
  ])('sends a few mails on one session, each with its own envelope, commands %s', async (_, script) => {
    const { port, sockets, heard } = await scripted({ ...script, DOT: '250 2.0.0 Ok: queued as ABC123' })
    const outcomes = await mailerTo(port).send(mailsTo(9))
    expect(outcomes).toEqual(Array(9).fill({ kind: 'accepted', requestId: 'ABC123' }))
    expect(sockets).toHaveLength(1)
    expect(heard.filter((word) => word === 'MAIL')).toHaveLength(9)
  })

  it('uses up to eight sessions for a batch once the server has accepted a mail', async () => {
    const { port, sockets, mails } = await scripted(inGroups)
    expect(kinds(await mailerTo(port).send(mailsTo(128)))).toEqual(Array(128).fill('accepted'))
    expect(sockets).toHaveLength(8)
    expect(new Set(mails.map(({ to }) => to)).size).toBe(128)
  })

  it('keeps the sessions that it has where the server takes no further one', async () => {
    let sessions = 0
    const greet = () => (++sessions > 3 ? '!421 4.3.2 too many connections' : '220 hi')
    const { port, mails } = await scripted({ ...inGroups, GREETING: greet })
    expect(kinds(await mailerTo(port).send(mailsTo(128)))).toEqual(Array(128).fill('accepted'))
    expect(mails).toHaveLength(128)
  })

  it('leaves a mail that it announced and does not send: the server gets neither it nor QUIT as its text', async () => {
    const script = {
      ...inGroups,
      DOT: (to: string) => (to.startsWith('ann') ? '250 Ok' : '452 4.3.1 Insufficient system storage'),
    }
    const { port, mails, heard } = await scripted(script)
    const outcomes = await mailerTo(port).send([...mailsTo(1), ...mailsTo(3, 'bob'), ...mailsTo(4)])
    expect(kinds(outcomes)).toEqual([
      'accepted',
      ...Array(3).fill('unavailable'),
      ...Array(4).fill('unavailable'),
    ])
    expect(outcomes.slice(4)).toEqual(Array(4).fill(aborted))
    expect(mails.map(({ to }) => to)).toEqual(['ann0@example.edu'])
    expect(heard).not.toContain('QUIT')
  })

  it('takes a server at its word that closes an idle session', async () => {
    const { port, sockets } = await scripted(inGroups)
    const mailer = mailerTo(port)
    await mailer.send(mailsTo(1))
    sockets[0]!.write('421 4.4.2 idle for too long\r\n')
    await setImmediate()
    expect(kinds(await mailer.send(mailsTo(2)))).toEqual(['accepted', 'accepted'])
    expect(sockets).toHaveLength(2)
  })

  it('keeps the session for the next batch, and opens another where two are sent at once', async () => {
    const { port, sockets } = await scripted({})
    const mailer = mailerTo(port)
    await mailer.send(mailsTo(2))
    await mailer.send(mailsTo(2))
    expect(sockets).toHaveLength(1)
    await Promise.all([mailer.send(mailsTo(2)), mailer.send(mailsTo(2))])
    expect(sockets).toHaveLength(2)
  })

  it('continues after the server has ended an idle session', async () => {
    const { port, sockets } = await scripted({})
    const mailer = mailerTo(port)
    await mailer.send(mailsTo(1))
    sockets[0]!.end()
    expect(kinds(await mailer.send(mailsTo(3)))).toEqual(['accepted', 'accepted', 'accepted'])
    expect(sockets).toHaveLength(2)
  })

  it('delivers the bytes unchanged, also lines that begin with a dot', async () => {
    const box = await mailbox()
    const body = '.\r\n..two\r\n.end\r\n'
    await mailerTo(box.port).send([mailTo('ann@example.edu', { body })])
    expect(await box.page('/mails/1/raw')).toMatch(/\r\n\r\n\.\r\n\.\.two\r\n\.end\r\n$/)
  })

  it('starts no mail after it was stopped', async () => {
    const box = await mailbox()
    const calls: boolean[] = []
    const outcomes = mailerTo(box.port).send(mailsTo(3), () => calls.push(true) === 1)
    expect(await outcomes).toMatchObject([{ kind: 'accepted' }, notSent('aborted'), notSent('aborted')])
    expect(await box.journal()).toHaveLength(1)
  })
})

describe('a recipient for whom the server fails', () => {
  it.each([
    ['hangs up', { action: 'cut' }],
    ['announces that it closes', { status: 421, message: '4.3.2 closing transmission channel' }],
    ['is too busy', { status: 450, message: '4.7.0 too many messages to this mailbox' }],
    ['has an internal error', { phase: 'dot', status: 451, message: '4.3.2 system not accepting messages' }],
    ['does not relay for them', { status: 554, message: '5.7.1 Relay access denied' }],
    ['requires a fully qualified domain', { status: 504, message: '5.5.2 need fully-qualified address' }],
  ])('does not keep later recipients from being mailed: it %s', async (_, fault) => {
    const box = await mailbox()
    const mails = mailsTo(6)
    for (const { to } of [mails[0]!, mails[3]!]) await box.fault({ phase: 'rcpt', ...fault, to, times: 9 })
    const outcomes = await mailerTo(box.port).send(mails)
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(4)
    for (const bad of [outcomes[0]!, outcomes[3]!]) {
      expect(bad).not.toHaveProperty('general')
      expect(['refused', 'deferred', 'throttled', 'unavailable']).toContain(bad.kind)
    }
    expect(await box.journal()).toHaveLength(4)
  })
})

describe('a rejected recipient', () => {
  it('is distinguished from the others, and the session continues', async () => {
    const box = await mailbox()
    const mails = mailsTo(5)
    await box.fault({ phase: 'rcpt', status: 550, to: mails[1]!.to })
    await box.fault({ phase: 'rcpt', status: 451, to: mails[2]!.to })
    await box.fault({ phase: 'dot', status: 554, to: mails[3]!.to })
    expect(await mailerTo(box.port).send(mails)).toMatchObject([
      { kind: 'accepted' },
      { kind: 'refused', code: 'bad_address', failed: [mails[1]!.to] },
      { kind: 'deferred', code: 'greylisted' },
      { kind: 'refused', code: 'policy' },
      { kind: 'accepted' },
    ])
    expect((await box.journal()).map(({ to }) => to)).toEqual([mails[0]!.to, mails[4]!.to])
  })

  it('is the same from a server that accepts one command at a time', async () => {
    const refused = await scripted({ RCPT: '550 5.1.1 <ann@example.edu> unknown', DATA: '503 no' })
    expect(kinds(await mailerTo(refused.port).send(mailsTo(3)))).toEqual(['refused', 'refused', 'refused'])
    expect(refused.sockets).toHaveLength(1)
  })

  it('is distinguished from the others if nodemailer rejects the envelope', async () => {
    const { port, sockets } = await scripted({})
    const odd = '"a@evil.example>"@b.example'
    const mails = [...mailsTo(1), mailTo(odd), ...mailsTo(1, 'bob')]
    expect(await mailerTo(port).send(mails)).toEqual([
      { kind: 'accepted' },
      { kind: 'refused', code: 'bad_address', failed: [odd], unseen: true },
      { kind: 'accepted' },
    ])
    expect(sockets).toHaveLength(1)
  })

  it('never exposes an address or the server’s text, except the failing one', async () => {
    const { port } = await scripted({ RCPT: '550 5.7.1 <ann@example.edu> Ann Lee is not here' })
    expect(JSON.stringify(await mailerTo(port).send([mailTo('ann@example.edu')]))).not.toMatch(/@|Lee/)
  })
})

describe('a server that cannot accept mail now', () => {
  it.each([
    ['rejects the sender', { MAIL: '550 5.7.1 not yours' }, { kind: 'misconfigured', code: 'smtp_550' }],
    ['is busy', { GREETING: '421 4.3.0 busy' }, notSent('busy')],
    ['rejects the connection', { GREETING: '554 no' }, { kind: 'misconfigured', code: 'smtp_554' }],
    ['does not speak SMTP', { GREETING: 'HTTP/1.1 400 Bad Request' }, notSent('protocol')],
  ])('%s: the rest of the batch is not tried', async (_, script, outcome) => {
    const { port, sockets } = await scripted(script)
    const [first, ...rest] = await mailerTo(port).send(mailsTo(20))
    expect(first).toEqual({ ...outcome, ...general })
    expect(rest).toEqual(Array(19).fill(aborted))
    expect(sockets).toHaveLength(1)
  })

  it.each([
    ['throttles', { DOT: '454 Throttling failure: Maximum sending rate exceeded.' }, { kind: 'throttled' }],
    ['has no storage left', { DOT: '452 4.3.1 Insufficient system storage' }, notSent('system')],
    ['hangs up at each recipient', { RCPT: '!421 closing' }, notSent('busy')],
  ])('%s: the rest of the batch is not tried once three in a row have failed', async (_, script, outcome) => {
    const { port } = await scripted(script)
    const outcomes = await mailerTo(port).send(mailsTo(20))
    expect(outcomes).toEqual([...Array(3).fill(outcome), ...Array(17).fill(aborted)])
  })

  it('rejects two different ones because of the sender: the account fails, and the rest is not tried', async () => {
    const { port } = await scripted({ RCPT: '554 5.7.1 Relay access denied' })
    const ours = { kind: 'misconfigured', code: 'smtp_554' }
    expect(await mailerTo(port).send(mailsTo(20))).toEqual([ours, ours, ...Array(18).fill(aborted)])
  })

  it.each([
    ['its daily quota', { DOT: '454 Throttling failure: Daily message quota exceeded.' }],
    ['its daily limit, said with a 5', { RCPT: '550 5.4.5 Daily user sending limit exceeded' }],
  ])('has reached %s: the rest is not tried once two different ones have met it', async (_, script) => {
    const { port } = await scripted(script)
    const limit = { kind: 'quota', retryAfterMs: 3_600_000, ...general }
    expect(await mailerTo(port).send(mailsTo(20))).toEqual([limit, limit, ...Array(18).fill(aborted)])
  })

  it('is unreachable: certainly nothing was sent', async () => {
    const { port, sockets } = await scripted({})
    const mailer = mailerTo(1)
    expect(await mailer.send(mailsTo(2))).toEqual([{ ...notSent('no_connection'), ...general }, aborted])
    expect(await mailer.health()).toEqual({ state: 'unavailable', code: 'no_connection' })
    expect(await mailerTo(port).health()).toMatchObject({ state: 'ok' })
    expect(sockets).toHaveLength(1)
  })
})

describe('a cut connection', () => {
  const times = 10

  it.each(['rcpt', 'data'] as const)(
    'at %s, has certainly sent nothing: after a retry every recipient has one mail',
    async (phase) => {
      const box = await mailbox()
      const mailer = mailerTo(box.port)
      await box.fault({ phase, action: 'cut', times })
      let left = mailsTo(100)
      const people = left.map(({ to }) => to)
      while (left.length > 0) {
        const outcomes = await mailer.send(left)
        for (const outcome of outcomes)
          if (outcome.kind !== 'accepted') expect([notSent('cut'), aborted]).toContainEqual(outcome)
        left = left.filter((_, index) => outcomes[index]!.kind !== 'accepted')
      }
      const journal = await box.journal()
      expect(journal.map(({ to }) => to).sort()).toEqual(people.sort())
    },
  )

  it('right after the reply to DATA, is noticed before the end of the mail is written', async () => {
    const { port } = await scripted({ DATA: '!354 go on' })
    expect(await mailerTo(port).send(mailsTo(1))).toEqual([notSent('cut')])
  })

  it('after the final dot, is uncertain', async () => {
    const box = await mailbox()
    const mailer = mailerTo(box.port)
    await box.fault({ phase: 'dot', action: 'cut', times })
    let left = mailsTo(100)
    const unclear: string[] = []
    while (left.length > 0) {
      const outcomes = await mailer.send(left)
      unclear.push(...left.filter((_, n) => isUnclear(outcomes[n]!)).map(({ to }) => to))
      left = left.filter((_, n) => outcomes[n]!.kind !== 'accepted' && !isUnclear(outcomes[n]!))
    }
    expect(unclear).toHaveLength(times)
    const journal = await box.journal()
    expect(journal).toHaveLength(100)
    expect(journal.filter(({ replied }) => !replied).map(({ to }) => to)).toEqual(unclear)
  })
})

describe('a server that becomes silent', () => {
  it.each([
    ['GREETING', true],
    ['EHLO', true],
    ['MAIL', true],
    ['RCPT', true],
    ['DATA', true],
    ['DOT', false],
  ])('at %s, times out', async (word, certain) => {
    const { port, heard } = await scripted({ [word]: null })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const sending = mailerTo(port, { timeoutMs: 30_000 }).send(mailsTo(5))
    const early = ['GREETING', 'EHLO'].includes(word)
    for (let session = 1; session <= (early ? 1 : 3); session++) {
      await eventually(() => expect(heard.filter((line) => line === word)).toHaveLength(session))
      vi.advanceTimersByTime(30_000)
    }
    const silent = { kind: 'unavailable', code: 'timeout', certain }
    if (early) expect(await sending).toEqual([{ ...silent, ...general }, ...Array(4).fill(aborted)])
    else expect(await sending).toEqual([silent, silent, silent, aborted, aborted])
  })
})

describe('a server with stricter requirements', () => {
  const cert = readFileSync(join(import.meta.dirname, 'localhost.cert.pem'), 'utf8')
  const key = readFileSync(join(import.meta.dirname, 'localhost.key.pem'), 'utf8')

  /** A real server that accepts mail from authenticated clients; returns its port. */
  async function guarded(options: SMTPServerOptions): Promise<number> {
    const server = new SMTPServer({
      logger: false,
      key,
      cert,
      onAuth: ({ username, password }, _, done) =>
        username === 'hub' && password === 'right' ? done(null, { user: 1 }) : done(new Error('no')),
      onData: (stream, _, done) => void stream.resume().on('end', () => done(null)),
      ...options,
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
    return (server.server.address() as { port: number }).port
  }

  function trust(): void {
    const before = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...before, cert])
    onTestFinished(() => tls.setDefaultCACertificates(before))
  }

  it('is encrypted, from the start or by STARTTLS', async () => {
    trust()
    const starttls = mailerTo(await guarded({ authOptional: true }), {
      host: 'localhost',
      security: 'starttls',
    })
    expect(kinds(await starttls.send(mailsTo(2)))).toEqual(['accepted', 'accepted'])
    const secure = await guarded({ authOptional: true, secure: true })
    expect(kinds(await mailerTo(secure, { host: 'localhost', security: 'tls' }).send(mailsTo(1)))).toEqual([
      'accepted',
    ])
  })

  it('receives nothing if its certificate is invalid', async () => {
    const port = await guarded({ authOptional: true })
    const secure = await guarded({ authOptional: true, secure: true })
    const noTls = { ...notSent('tls'), ...general }
    expect(await mailerTo(port, { security: 'starttls' }).send(mailsTo(1))).toEqual([noTls])
    expect(await mailerTo(secure, { security: 'tls' }).send(mailsTo(1))).toEqual([noTls])
  })

  it('receives nothing without TLS', async () => {
    const { port } = await scripted({ STARTTLS: '502 no' })
    const [outcome] = await mailerTo(port, { security: 'starttls' }).send(mailsTo(1))
    expect(outcome).toEqual({ kind: 'misconfigured', code: 'smtp_502', ...general })
  })

  it('receives the credentials; a wrong password is a misconfiguration', async () => {
    trust()
    const port = await guarded({})
    const as = (password: string) =>
      mailerTo(port, { host: 'localhost', security: 'starttls', login: { user: 'hub', password } })
    expect(kinds(await as('right').send(mailsTo(2)))).toEqual(['accepted', 'accepted'])
    expect(await as('wrong').send(mailsTo(2))).toEqual([
      { kind: 'misconfigured', code: 'smtp_535', ...general },
      aborted,
    ])
    expect(await as('wrong').health()).toEqual({ state: 'misconfigured', code: 'smtp_535' })
  })
})

function isUnclear(outcome: Outcome): boolean {
  return outcome.kind === 'unavailable' && !outcome.certain
}
