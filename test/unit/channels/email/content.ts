import { randomUUID } from 'node:crypto'
import { compileEmail, type EmailContent } from '../../../../src/channels/email/compile.ts'
import { linkSigner } from '../../../../src/channels/email/links.ts'
import { type MailSender, mailForm, writeMail } from '../../../../src/channels/email/message.ts'
import type { CompiledEmail, Pieces } from '../../../../src/channels/email/wire.ts'
import type { CanonicalMessage } from '../../../../src/contract/messages/content.ts'
import type { SendingUnit } from '../../../../src/domain/content/sending-unit.ts'

export const label = (en: string, zh = en) => ({ 'zh-TW': zh, en })

/** A unit without a display name, or with what is given. */
export function unitOf(name: string, more: Partial<SendingUnit> = {}): SendingUnit {
  const installation = { named: false, replyTo: null, sender: null }
  return { id: 'unit-id', name: { 'zh-TW': name }, ...installation, timeZone: 'Asia/Taipei', ...more }
}

/** A content around these messages. */
export function contentOf(messages: CanonicalMessage[], more: Partial<EmailContent> = {}): EmailContent {
  return {
    messages,
    subject: label('Registration', '選課'),
    unit: unitOf('教務處'),
    categoryId: 'courses',
    category: label('Courses', '課程'),
    wave: 'only',
    unsubscribe: true,
    ...more,
  }
}

/** The mail in one locale, of a content without violations. */
export function compiled(content: EmailContent, locale: 'zh-TW' | 'en' = 'en'): CompiledEmail {
  const { locales, violations } = compileEmail(content)
  if (violations.length > 0) throw new Error(JSON.stringify(violations))
  return locales[locale].parts[0]![0]!
}

/** Pieces as one text, with links written as `{purpose}` or `{n/o}`. */
export function flat(pieces: Pieces): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return 'o' in piece ? `{${piece.n}/${piece.o}}` : `{${piece.purpose}}`
    })
    .join('')
}

export const links = linkSigner(Buffer.alloc(32, 7))
export const letterhead: MailSender = {
  from: { name: '教務處', address: 'notice@hub.example.edu' },
  publicUrl: 'https://hub.example.edu',
  messageId: '019a9d2e-7c1f-7cc0-9d53-0242ac120002',
}
export const recipient = { address: 'ann@example.edu', waveId: randomUUID(), subjectId: randomUUID() }
export const date = new Date('2026-11-21T01:02:03Z')

/** The bytes of a mail with this content. */
export async function mailBytes(content: EmailContent, more: Partial<typeof recipient & MailSender> = {}) {
  const form = mailForm(compiled(content), { ...letterhead, ...more })
  return (await writeMail(form, { ...recipient, ...more }, { links, dkim: undefined, date }))?.bytes
}
