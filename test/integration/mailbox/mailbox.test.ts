import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { directory } from '../../../dev/demo/directory.ts'
import { callsTo, mailbox, mailerTo, mailsTo, mailTo, sender, temporaryDir } from '../../fixtures/mailbox.ts'

/** The mailbox as a process. */
async function mailboxProcess(dir: string) {
  const child = spawn(process.execPath, ['dev/mailbox/main.ts'], {
    env: { ...process.env, MAILBOX_SMTP_PORT: '0', MAILBOX_PORT: '0', MAILBOX_DIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  const [, url, port] = /(http:\S+), SMTP on 127\.0\.0\.1:(\d+)/.exec(String(line))!
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return (await once(child, 'exit'))[0] as number | null
  }
  return { port: Number(port), end, ...callsTo(url!) }
}

describe('the journal', () => {
  it('holds each accepted mail with envelope, headers and name', async () => {
    const box = await mailbox()
    const subject = '=?utf-8?B?6YG46Kqy?='
    const mail = mailTo('ann@example.edu', { subject })
    await mailerTo(box.port).send([mail])
    expect(await box.journal()).toMatchObject([
      {
        seq: 1,
        from: sender,
        to: 'ann@example.edu',
        subject: '選課',
        messageId: expect.stringMatching(/^<.+@hub\.example\.edu>$/),
        headers: { to: 'ann@example.edu', subject },
        phase: 'dot',
        replied: true,
      },
    ])
  })

  it('returns a repeated header as a list', async () => {
    const box = await mailbox()
    await mailerTo(box.port).send([
      mailTo('ann@example.edu', { subject: 'x\r\nReceived: a\r\nreceived:\r\n b' }),
    ])
    expect((await box.journal())[0]!.headers.received).toEqual(['a', 'b'])
  })

  it('loses nothing that was accepted, however the process ends', async () => {
    const dir = await temporaryDir()
    const first = await mailboxProcess(dir)
    await mailerTo(first.port).send(mailsTo(20))
    await first.end('SIGKILL')

    const second = await mailboxProcess(dir)
    await mailerTo(second.port).send([mailTo('bob@example.edu')])
    const items = await second.journal()
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
    expect(await second.page('/mails/21/raw')).toContain('To: bob@example.edu')
    expect(await second.page('/mails/7/raw')).toContain('To: ann6@example.edu')
    expect(await second.end('SIGTERM')).toBe(0)
  })
})

describe('faults', () => {
  it('are listed, counted down, and cleared', async () => {
    const box = await mailbox()
    const mailer = mailerTo(box.port)
    const listFaults = async () => (await (await fetch(`${box.url}/faults`)).json()) as { items: unknown[] }
    expect((await box.fault({ phase: 'rcpt', status: 450, times: 2 })).status).toBe(201)
    await mailer.send(mailsTo(1))
    expect(await listFaults()).toMatchObject({
      items: [{ phase: 'rcpt', action: 'status', status: 450, times: 1 }],
    })
    await fetch(`${box.url}/faults`, { method: 'DELETE' })
    expect(await listFaults()).toEqual({ items: [] })
    expect(await mailer.send(mailsTo(1))).toMatchObject([{ kind: 'accepted' }])
  })

  it('that are empty, or impossible, are rejected with a reason', async () => {
    const { fault } = await mailbox()
    for (const body of [
      {},
      { phase: 'ehlo', status: 450 },
      { action: 'status' },
      { status: 250 },
      { cut: true },
      [],
    ]) {
      const answer = await fault(body)
      expect(answer.status).toBe(400)
      expect(((await answer.json()) as { message: string }).message).not.toBe('')
    }
  })

  it('delay the reply', async () => {
    const box = await mailbox()
    await box.fault({ phase: 'dot', delayMs: 200 })
    const began = performance.now()
    expect(await mailerTo(box.port).send(mailsTo(1))).toMatchObject([{ kind: 'accepted' }])
    expect(performance.now() - began).toBeGreaterThanOrEqual(199)
  })
})

it('survives a client that disconnects in the middle of a mail', async () => {
  const box = await mailbox()
  const client = connect(box.port, '127.0.0.1')
  const lines = ['EHLO x', `MAIL FROM:<${sender}>`, 'RCPT TO:<ann@example.edu>', 'DATA', 'Subject: half']
  for (const line of lines) {
    await once(client, 'data') // the answer to the line before
    client.write(`${line}\r\n`)
  }
  const closed = once(client, 'close')
  client.resetAndDestroy()
  await closed
  await mailerTo(box.port).send([mailTo('bob@example.edu')])
  expect((await box.journal()).map(({ to }) => to)).toEqual(['bob@example.edu'])
})

describe('the inbox', () => {
  it('lists mail, newest first, and finds it by recipient', async () => {
    const box = await mailbox()
    await mailerTo(box.port).send([mailTo('ann@example.edu'), mailTo('bob@example.edu')])
    const page = await box.page('/')
    expect(page.indexOf('bob@example.edu')).toBeLessThan(page.indexOf('ann@example.edu'))
    const result = await box.page('/mails?to=ANN')
    expect(result).toContain('ann@example.edu')
    expect(result).not.toContain('bob@example.edu')
    expect(await box.page('/mails?to=nobody')).toContain('No mail found for “nobody”.')
  })

  it('finds mail by subject, and by name and uid of people of the demo, in both languages', async () => {
    const box = await mailbox()
    const person = directory().find(({ email }) => email !== undefined)!
    await mailerTo(box.port).send([
      mailTo(person.email!),
      mailTo('bob@example.edu', { subject: '=?utf-8?B?6YG46Kqy?=' }),
    ])
    for (const text of [person.name, person.uid, person.email!]) {
      const result = await box.page(`/mails?${new URLSearchParams({ to: text })}`)
      expect(result).toContain(person.name)
      expect(result).not.toContain('bob@example.edu')
    }
    expect(await box.page(`/mails?${new URLSearchParams({ to: '選課' })}`)).toContain('bob@example.edu')
    expect(await box.page('/?lang=zh-TW')).toContain('Carillon 寄出的所有郵件')
    expect(await box.page('/?lang=en')).toContain('All mail sent by Carillon')
  })

  it('lists all mail, page by page', async () => {
    const box = await mailbox()
    const addresses = Array.from({ length: 130 }, (_, n) => `reader-${n}@example.edu`)
    await mailerTo(box.port).send(addresses.map((address) => mailTo(address)))
    const numbersIn = (page: string) => [...page.matchAll(/data-seq="(\d+)"/g)].map(([, seq]) => Number(seq))
    const first = await box.page('/mails')
    expect(numbersIn(first)).toEqual(Array.from({ length: 100 }, (_, n) => 130 - n))
    const [, older] = /class="page" href="([^"]+)"/.exec(first)!
    const second = await box.page(older!.replaceAll('&amp;', '&'))
    expect(numbersIn(second)).toEqual(Array.from({ length: 30 }, (_, n) => 30 - n))
    expect(second).toContain('Newest')
    expect(await box.page('/mails/1/raw')).toContain('To: reader-0@example.edu')
  })

  it('prevents a mail from running scripts or writing into the page', async () => {
    const box = await mailbox()
    const trick = '<script>alert(1)</script>'
    const body = `${trick}<p>Hello</p>`
    const mail = mailTo('ann@example.edu', { subject: `${trick}\r\nContent-Type: text/html`, body })
    await mailerTo(box.port).send([mail])
    expect(await box.page('/')).not.toContain(trick)
    const alone = await fetch(`${box.url}/mails/1/html`)
    expect(alone.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await box.page('/')).toMatch(
      /<iframe src="\/mails\/1\/html"[^>]* sandbox="(?![^"]*(scripts|same-origin))/,
    )
  })
})
