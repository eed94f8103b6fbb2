import { generateKeyPairSync } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { describe, expect, it } from 'vitest'
import { dkimSigner } from '../../../../src/channels/email/dkim.ts'
import { mailForm, writeMail } from '../../../../src/channels/email/message.ts'
import { compiled, contentOf, date, label, letterhead, links, recipient } from './content.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const key = { domain: 'hub.example.edu', selector: 'bells', privateKey }
const record = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`

/** The result of an independent verifier, with our key in its DNS. */
async function verdict(mail: string | Buffer) {
  const resolver = async (name: string) => {
    if (name !== 'bells._domainkey.hub.example.edu') throw Object.assign(new Error(), { code: 'ENOTFOUND' })
    return [[record]]
  }
  const { results } = await dkimVerify(Buffer.from(mail), { resolver })
  return results[0]
}

const content = contentOf([
  { kind: 'text', text: label('Hello  with   spaces \t and\n.dots\n\n\n你好') },
  {
    kind: 'buttons',
    text: label('Coming?'),
    actions: [{ kind: 'postback', label: label('Yes'), data: { v: 1 } }],
  },
])
const form = mailForm(compiled({ ...content, subject: label('很長的主旨'.repeat(20)) }), letterhead)
const signed = await writeMail(form, recipient, { links, dkim: dkimSigner(key), date })
const mail = signed!.bytes.toString('latin1')

describe('a signed mail', () => {
  it('passes an independent verifier', async () => {
    expect(await verdict(mail)).toMatchObject({
      status: { result: 'pass', aligned: 'hub.example.edu' },
      format: 'relaxed/relaxed',
      algo: 'rsa-sha256',
    })
  })

  it('covers both fields of one-click unsubscribe, and all that names sender, reader and content', async () => {
    const { signingHeaders } = (await verdict(mail))!
    const covered = signingHeaders!.keys.toLowerCase().split(': ')
    for (const name of [
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'list-unsubscribe',
      'list-unsubscribe-post',
    ])
      expect(covered).toContain(name)
  })

  it('still passes if a server folds headers differently or adds empty lines', async () => {
    const folded = mail.replace('List-Unsubscribe: <', 'list-unsubscribe:\r\n   <')
    expect(await verdict(`${folded}\r\n\r\n`)).toMatchObject({ status: { result: 'pass' } })
  })

  it('fails when the body or a covered field was changed', async () => {
    const changes: [string, string][] = [
      ['Coming?', 'Leaving?'],
      ['To: ann@', 'To: bob@'],
      ['/l/A', '/l/B'],
      ['One-Click', 'Two-Click'],
    ]
    for (const [from, to] of changes) {
      expect(mail).toContain(from)
      expect((await verdict(mail.replace(from, to)))?.status.result).not.toBe('pass')
    }
  })

  it('is not possible with a key that cannot be read', () => {
    expect(() => dkimSigner({ ...key, privateKey: 'no key' })).toThrow()
  })
})
