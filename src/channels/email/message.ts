import { calendarType } from '../calendar-file.ts'
import { mailAddress } from './address.ts'
import type { DkimSigner, Field } from './dkim.ts'
import { type LinkSigner, linkPath, tokenLength } from './links.ts'
import { quotedPrintable, type SlottedText } from './quoted-printable.ts'
import type { CompiledEmail, LinkTarget, Pieces } from './wire.ts'

/** The sender. `publicUrl` is the base of all links, without a trailing slash; `messageId` the id of the message. */
export type MailSender = {
  from: { name: string; address: string }
  publicUrl: string
  messageId: string
  /** A test mail to its author, not to a recipient. */
  test?: boolean
}

/** The recipient of a mail, and its delivery. */
export type Recipient = { address: string; waveId: string; subjectId: string }

/** A mail in one language, prepared once: all its bytes except the recipient's headers and tokens. */
export type MailForm = {
  mailSender: MailSender
  targets: LinkTarget[]
  fields: Field[]
  body: Buffer
  /** The offsets in the body at which each target's token is written. */
  slots: { target: number; offset: number }[]
}

/** Cannot occur in quoted-printable, nor in base64, so no text can contain it. */
const boundary = '=_carillon'
/** Around the mail and what is attached to it. */
const outerBoundary = '=_carillon_all'

/** Prepares a compiled mail. The same input gives the same bytes. */
export function mailForm(mail: CompiledEmail, mailSender: MailSender): MailForm {
  const { subject, text, html } = mail
  const targets = distinctTargets([...html, ...text])
  const parts = [
    { type: 'text/plain', ...quotedPrintable(withSlots(text, targets, mailSender)) },
    { type: 'text/html', ...quotedPrintable(withSlots(html, targets, mailSender)) },
  ]
  const { calendar } = mail
  let body = calendar === undefined ? '' : `--${outerBoundary}\r\nContent-Type: ${alternative}\r\n\r\n`
  const slots: MailForm['slots'] = []
  for (const { type, text: encoded, slots: partSlots } of parts) {
    body += `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`
    slots.push(...partSlots.map(({ slot, offset }) => ({ target: slot, offset: body.length + offset })))
    body += `${encoded}\r\n`
  }
  const { name, address } = mailSender.from
  const fields: Field[] = [
    ['From', `${displayName(mail.from ?? name)} <${address}>`],
    ['Subject', headerText(subject)],
    ...replyTo(mail),
    ...listId(mail, domainOf(address)),
    ['X-Carillon-Message', mailSender.messageId],
    ...(mailSender.test ? [['X-Carillon-Test', 'yes'] satisfies Field] : []),
    ['Auto-Submitted', 'auto-generated'], // suppresses out-of-office replies (RFC 3834)
    ['MIME-Version', '1.0'],
    ['Content-Type', calendar === undefined ? alternative : `multipart/mixed; boundary="${outerBoundary}"`],
  ]
  body += `--${boundary}--\r\n`
  if (calendar !== undefined) body += `${attachedCalendar(calendar)}--${outerBoundary}--\r\n`
  return { mailSender, targets, fields, body: Buffer.from(body, 'latin1'), slots }
}

const alternative = `multipart/alternative; boundary="${boundary}"`

/** A calendar file as an attachment (RFC 6047), in lines of base64. */
function attachedCalendar(file: string): string {
  const encoded =
    Buffer.from(file)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  return [
    `--${outerBoundary}`,
    `Content-Type: ${calendarType}; charset=utf-8; method=PUBLISH; name="event.ics"`,
    'Content-Disposition: attachment; filename="event.ics"',
    'Content-Transfer-Encoding: base64',
    '',
    ...encoded,
    '',
  ].join('\r\n')
}

/** The unit's own address; everything else about the envelope stays the installation's. */
function replyTo({ replyTo }: CompiledEmail): Field[] {
  const address = replyTo === undefined ? null : mailAddress(replyTo)
  return address === null ? [] : [['Reply-To', address]]
}

/** By this, mail programs sort the mails of a unit in a category (RFC 2919). */
function listId({ list }: CompiledEmail, domain: string): Field[] {
  return list ? [['List-Id', `${displayName(list.name)} <${list.label}.${domain}>`]] : []
}

/**
 * The bytes of a mail to one recipient, with CRLF line ends. A delivery has the same Message-ID in every try. Null if
 * the address is invalid.
 */
export async function writeMail(
  form: MailForm,
  recipient: Recipient,
  { links, dkim, date }: { links: LinkSigner; dkim: DkimSigner | undefined; date: Date },
): Promise<{ to: string; bytes: Buffer } | null> {
  const to = mailAddress(recipient.address)
  if (to === null) return null
  const { mailSender, targets } = form
  const tokens = links.sign(recipient, targets)
  const leave = tokens[targets.findIndex(({ purpose }) => purpose === 'unsubscribe')]
  const [sender, ...others] = form.fields
  const fields: Field[] = [
    sender!,
    ['To', to],
    ['Date', headerDate(date)],
    ['Message-ID', messageIdHeader(recipient, mailSender.from.address)],
    ...(leave === undefined ? [] : oneClick(`${mailSender.publicUrl}${linkPath}${leave}`)),
    ...others,
  ]
  const { bytes, body } = assemble(fields, form, tokens)
  if (!dkim) return { to, bytes }
  const signature = headerLine(await dkim(fields, body, date))
  return { to, bytes: Buffer.concat([Buffer.from(signature, 'latin1'), bytes]) }
}

/** Head and body in one buffer; `body` is a view of its part. */
function assemble(fields: Field[], form: MailForm, tokens: string[]): { bytes: Buffer; body: Buffer } {
  const head = `${fields.map(headerLine).join('')}\r\n`
  const bytes = Buffer.allocUnsafe(head.length + form.body.length)
  bytes.write(head, 'latin1')
  form.body.copy(bytes, head.length)
  const body = bytes.subarray(head.length)
  for (const { target, offset } of form.slots) body.write(tokens[target]!, offset, 'latin1')
  return { bytes, body }
}

function headerLine([name, value]: Field): string {
  return `${name}: ${value}\r\n`
}

/** The Message-ID of a delivery: its wave and its subject. */
export function messageIdHeader({ waveId, subjectId }: Omit<Recipient, 'address'>, sender: string): string {
  return `<${waveId}.${subjectId}@${domainOf(sender)}>`
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** Headers for the unsubscribe button of mail programs (RFC 2369, RFC 8058). */
function oneClick(url: string): Field[] {
  return [
    ['List-Unsubscribe', `<${url}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ]
}

function distinctTargets(pieces: Pieces): LinkTarget[] {
  const targets = new Map<string, LinkTarget>()
  for (const piece of pieces) if (typeof piece !== 'string') targets.set(keyOf(piece), piece)
  return [...targets.values()]
}

function withSlots(pieces: Pieces, targets: LinkTarget[], { publicUrl }: MailSender): SlottedText<number> {
  const keys = targets.map(keyOf)
  return pieces.flatMap((piece) =>
    typeof piece === 'string'
      ? [piece]
      : [`${publicUrl}${linkPath}`, { slot: keys.indexOf(keyOf(piece)), length: tokenLength }],
  )
}

function keyOf(target: LinkTarget): string {
  return 'o' in target ? `${target.n}/${target.o}` : target.purpose
}

const wordBytes = 45

/** A text as the value of an unstructured header field: unchanged, or in encoded words (RFC 2047), folded. */
function headerText(text: string): string {
  return isPlain(text) ? text : encodedWords(text)
}

/** A name before an address (RFC 5322, 3.4). */
function displayName(name: string): string {
  return isPlain(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name)
}

/** Short printable ASCII that no mail program can take for an encoded word. Excludes line ends. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]{0,60}$/.test(text) && !text.includes('=?')
}

/** Each word contains whole characters and has its own line. */
function encodedWords(text: string): string {
  const words = ['']
  for (const character of text.toWellFormed()) {
    if (Buffer.byteLength(words.at(-1)! + character) > wordBytes) words.push('')
    words[words.length - 1] += character
  }
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}

/** A date in the format of mail (RFC 5322, 3.3). */
function headerDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000')
}
