import { createPrivateKey, hash, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** The key that a domain publishes at `<selector>._domainkey.<domain>`; `privateKey` is RSA, in PEM. */
type DkimKey = { domain: string; selector: string; privateKey: string }

/** A header field: name and value as written in the message, folds included. */
export type Field = [name: string, value: string]

/** Returns the DKIM-Signature field for a message; `body` ends in one CRLF. */
export type DkimSigner = (fields: Field[], body: Buffer, at: Date) => Promise<Field>

/** The fields that identify sender, recipient and content, and both fields of one-click unsubscribe (RFC 8058, 4). */
const signedFields = [
  'from',
  'reply-to',
  'to',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'content-type',
  'auto-submitted',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
]

const signAsync = promisify(sign)

/**
 * Signs with rsa-sha256, relaxed/relaxed (RFC 6376). The body must already be in relaxed form, as `quotedPrintable`
 * writes it. Signing runs in the thread pool: it takes longer than all other work on a mail.
 * @throws Error if the key cannot be parsed
 */
export function dkimSigner({ domain, selector, privateKey }: DkimKey): DkimSigner {
  const key = createPrivateKey(privateKey)
  return async (fields, body, at) => {
    const signed = fields.filter(([name]) => signedFields.includes(name.toLowerCase()))
    const tags = [
      `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};`,
      `t=${Math.floor(at.getTime() / 1_000)}; h=${signed.map(([name]) => name.toLowerCase()).join(':')};`,
      `bh=${hash('sha256', body, 'base64')};`,
      'b=',
    ].join('\r\n ')
    const covered = [...signed.map(relaxed), relaxed(['DKIM-Signature', tags])].join('\r\n')
    const signature = await signAsync('sha256', Buffer.from(covered, 'latin1'), key)
    return ['DKIM-Signature', `${tags}${signature.toString('base64').replace(/.{1,70}/g, '\r\n $&')}`]
  }
}

/** A field in relaxed form (RFC 6376, 3.4.2). */
function relaxed([name, value]: Field): string {
  const unfolded = value.replace(/\r\n/g, '')
  return `${name.toLowerCase()}:${unfolded.replace(/[ \t]+/g, ' ').trim()}`
}
