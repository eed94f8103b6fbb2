import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { mailForm, messageIdHeader, writeMail } from '../../../../src/channels/email/message.ts'
import type { CanonicalMessage } from '../../../../src/contract/messages/content.ts'
import {
  compiled,
  contentOf,
  date,
  label,
  letterhead,
  links,
  mailBytes,
  recipient,
  unitOf,
} from './content.ts'

const hello: CanonicalMessage = { kind: 'text', text: label('Hello, 你好 👋') }
const ask: CanonicalMessage = {
  kind: 'buttons',
  text: label('Coming?'),
  actions: [{ kind: 'postback', label: label('Yes'), data: { v: 1 } }],
}
const head = (bytes: Buffer) => bytes.toString('latin1').split('\r\n\r\n')[0]!
const tokens = (text: string) =>
  [...text.matchAll(/\/l\/([\w-]{75})/g)].map(([, token]) => links.verify(token!))

describe('the bytes of a mail', () => {
  it('are parsed by a mail program into the same texts', async () => {
    const mail = await PostalMime.parse((await mailBytes(contentOf([hello, ask])))!)
    expect(mail.from).toMatchObject({ name: '教務處', address: 'notice@hub.example.edu' })
    expect(mail.to).toMatchObject([{ address: 'ann@example.edu' }])
    expect(mail.subject).toBe('Registration')
    expect(mail.date).toBe(date.toISOString())
    expect(mail.text).toContain('Hello, 你好 👋')
    expect(mail.html).toContain('Hello, 你好 👋')
  })

  it('are the same for the same delivery, and differ for another only in its recipient’s data', async () => {
    const content = contentOf([hello, ask])
    const [first, again] = [await mailBytes(content), await mailBytes(content)]
    expect(first).toEqual(again)
    const other = await mailBytes(content, { subjectId: crypto.randomUUID() })
    expect(other!.length).toBe(first!.length)
    expect(other).not.toEqual(first)
  })

  it('contain links for this person only, to the right page', async () => {
    const mail = await PostalMime.parse((await mailBytes(contentOf([hello, ask])))!)
    const { waveId, subjectId } = recipient
    const own = ['unsubscribe', 'preferences', 'view'].map((purpose) => ({ purpose }))
    const wanted = [{ purpose: 'tap', n: 1, o: '0' }, ...own]
    for (const part of [mail.html!, mail.text!])
      expect(tokens(part)).toEqual(wanted.map((target) => ({ waveId, subjectId, target })))
    expect(mail.html).toContain('href="https://hub.example.edu/l/')
  })

  it('let the mail program itself unsubscribe', async () => {
    const headers = head((await mailBytes(contentOf([hello])))!)
    const [, url] = /^List-Unsubscribe: <(https:.*)>$/m.exec(headers)!
    expect(tokens(url!)).toMatchObject([
      { subjectId: recipient.subjectId, target: { purpose: 'unsubscribe' } },
    ])
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    const fixed = head((await mailBytes(contentOf([hello], { unsubscribe: false })))!)
    expect(fixed).not.toContain('List-Unsubscribe')
  })

  it('come in the name of the unit, which gets the answers, from the address of the installation', async () => {
    const unit = unitOf('教務處', { named: true, replyTo: 'office@registry.example.edu' })
    const content = contentOf([hello], { unit })
    const from = { name: 'Notices', address: 'notice@hub.example.edu' }
    const mail = await PostalMime.parse((await mailBytes(content, { from }))!)
    expect(mail.from).toMatchObject({ name: '教務處', address: 'notice@hub.example.edu' })
    expect(mail.replyTo).toMatchObject([{ address: 'office@registry.example.edu' }])
    const [list] = mail.headers.filter(({ key }) => key === 'list-id')
    expect(list?.value).toContain('<courses.unit-id.hub.example.edu>')

    const plain = await PostalMime.parse((await mailBytes(contentOf([hello]), { from }))!)
    expect(plain.from).toMatchObject({ name: 'Notices' })
    expect(plain.replyTo).toBeUndefined()
  })

  it('name the delivery and the message', async () => {
    const headers = head((await mailBytes(contentOf([hello])))!)
    const id = messageIdHeader(recipient, letterhead.from.address)
    expect(id).toBe(`<${recipient.waveId}.${recipient.subjectId}@hub.example.edu>`)
    expect(headers).toContain(`\r\nMessage-ID: ${id}\r\n`)
    expect(headers).toContain(`\r\nX-Carillon-Message: ${letterhead.messageId}\r\n`)
    expect(headers).toContain('\r\nAuto-Submitted: auto-generated\r\n')
  })

  it('have CRLF line ends and short lines, for any text', async () => {
    const long = '長'.repeat(3_000) + 'a'.repeat(3_000)
    const content = contentOf([{ kind: 'text', text: label(long) }, hello], {
      subject: label(long),
      unit: unitOf(long, { named: true }),
    })
    const mail = (await mailBytes(content, { from: { name: long, address: 'a@b.example' } }))!.toString(
      'latin1',
    )
    expect(mail.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of mail.split('\r\n')) expect(line.length).toBeLessThanOrEqual(200)
  })

  it('have no header injected by a subject, a name or an address', async () => {
    const trick = 'x\r\nBcc: all@example.edu\r\n\r\n<b>'
    const mail = (await mailBytes(contentOf([hello], { subject: label(trick), unit: unitOf(trick) }), {
      from: { name: `a" ${trick}`, address: 'a@b.example' },
    }))!
    const { headers, subject, from } = await PostalMime.parse(mail)
    expect(headers.map(({ key }) => key)).not.toContain('bcc')
    expect(subject).toBe('x Bcc: all@example.edu <b>')
    expect(from?.name).toContain('a" x')

    for (const address of [
      'a@b.c\r\nBcc: d@e.f',
      'a@b.c>',
      '<a@b.c',
      'a b@c.d',
      'a@b.c d@e.f',
      'nobody',
      '@b.c',
      'é@b.c',
    ])
      expect(await mailBytes(contentOf([hello]), { address })).toBeUndefined()
  })

  it('write a domain of another script in ASCII', async () => {
    const form = mailForm(compiled(contentOf([hello])), letterhead)
    const mail = await writeMail(
      form,
      { ...recipient, address: 'ann@例え.jp' },
      { links, dkim: undefined, date },
    )
    expect(mail?.to).toBe('ann@xn--r8jz45g.jp')
    expect(mail?.bytes.toString()).toContain('\r\nTo: ann@xn--r8jz45g.jp\r\n')
  })
})
