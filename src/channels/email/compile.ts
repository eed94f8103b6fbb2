import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { calendarLabels, calendarLines } from '../../domain/content/calendar.ts'
import { cut } from '../../domain/content/graphemes.ts'
import { type ContentWave, type ReminderTime, spokenTime } from '../../domain/content/reminder-time.ts'
import type { SendingUnit } from '../../domain/content/sending-unit.ts'
import type { Compiled, Parts, TrackLink } from '../channel.ts'
import type { CalendarOffer } from '../content.ts'
import { type Block, type Choice, readBlock } from './block.ts'
import { type CompileContext, printableIn } from './compile-context.ts'
import { htmlPage } from './html-page.ts'
import { emailLimits } from './limits.ts'
import type { MailDocument } from './mail-document.ts'
import { textPage } from './text-page.ts'
import { newViolations } from './violations.ts'
import type { CompiledEmail, Pieces } from './wire.ts'
import { words } from './words.ts'

/** The input of the compiler: the producer's messages, and the texts that mail puts around them. */
export type EmailContent = {
  messages: CanonicalMessage[]
  /** The title of the message (src/domain/content/title.ts). */
  subject: LocalisedText
  unit: SendingUnit
  categoryId: string
  /** Name of the category. */
  category: LocalisedText
  /** The wave that sends it. */
  wave: ContentWave
  /** Whether recipients can unsubscribe from the category (false if it is mandatory). */
  unsubscribe: boolean
  /** An entry for the recipients' calendars. */
  calendar?: CalendarOffer
  /** Present: links lead through Carillon, which counts clicks. */
  trackLink?: TrackLink
}

/**
 * Compiles a content to mail, in both locales; `en` falls back to zh-TW. Pure: the same input gives the same result,
 * byte for byte. A mail is one call, however many messages it contains.
 */
export function compileEmail(content: EmailContent): Compiled<'email'> {
  const violations = newViolations()
  const inLocale = (locale: Locale): { parts: Parts['email'] } => ({
    parts: [[compileLocale({ locale, violations, tracked: content.trackLink !== undefined }, content)]],
  })
  const locales = { 'zh-TW': inLocale('zh-TW'), en: inLocale('en') }
  return { locales, violations: violations.list() }
}

function compileLocale(context: CompileContext, content: EmailContent): CompiledEmail {
  const { locale } = context
  const { wave } = content
  const marked = wave === 'reminder' ? words[locale].reminder : ''
  const { calendar } = content
  const blocks = content.messages.map((message, n) => readBlock(context, message, n))
  if (calendar) blocks.push(calendarBlock(locale, calendar))
  const [unit, category] = [printableIn(locale, content.unit.name), printableIn(locale, content.category)]
  const mailDocument: MailDocument = {
    subject: subjectLine(`${marked}${printableIn(locale, content.subject)}`),
    unit,
    reason: words[locale].reason[content.unsubscribe ? 'chosen' : 'mandatory'](unit, category),
    blocks: typeof wave === 'string' ? blocks : [...blocks, doNotRemind(locale, wave)],
    footerLinks: footerLinks(locale, content.unsubscribe),
  }
  const html = htmlPage(locale, mailDocument).pieces
  if (utf8Bytes(html) > emailLimits.htmlBytes)
    context.violations.add('messages', 'too_large', emailLimits.htmlBytes)
  const { id, named, replyTo } = content.unit
  return {
    subject: mailDocument.subject,
    html,
    text: textPage(mailDocument),
    ...(named && { from: unit }),
    ...(replyTo !== null && { replyTo }),
    ...(calendar && { calendar: calendar.files[locale] }),
    list: { label: `${content.categoryId}.${id}`, name: `${unit}: ${category}` },
  }
}

/** One line, cut to the length that mail lists show. */
function subjectLine(title: string): string {
  return cut(title.replace(/\s+/gu, ' ').trim(), emailLimits.subjectUnits)
}

function calendarBlock(locale: Locale, { entry, timeZone, urls }: CalendarOffer): Block {
  const text = calendarLines(locale, entry, timeZone).join('\n')
  const choices: Choice[] = [{ label: calendarLabels.add[locale], to: urls[locale] }]
  return { kind: 'choices', text, choices, style: 'buttons' }
}

function doNotRemind(locale: Locale, time: ReminderTime): Block {
  const { remind, doNotRemind } = words[locale]
  const text = remind(spokenTime(locale, time).moment)
  const choices: Choice[] = [{ label: doNotRemind, to: { purpose: 'do_not_remind' } }]
  return { kind: 'choices', text, choices, style: 'quiet' }
}

function footerLinks(locale: Locale, unsubscribe: boolean): Choice[] {
  const { unsubscribe: leave, preferences, view } = words[locale]
  const others: Choice[] = [
    { label: preferences, to: { purpose: 'preferences' } },
    { label: view, to: { purpose: 'view' } },
  ]
  return unsubscribe ? [{ label: leave, to: { purpose: 'unsubscribe' } }, ...others] : others
}

function utf8Bytes(pieces: Pieces): number {
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : '')).join('')
  return new TextEncoder().encode(text).length
}
