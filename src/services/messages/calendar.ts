import { type CalendarFile, writeCalendarFile } from '../../channels/calendar-file.ts'
import type { CalendarOffer } from '../../channels/content.ts'
import type { Locale } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CalendarEntry } from '../../contract/messages/calendar.ts'
import { momentOf } from '../../db/uuid-lower-bound.ts'
import type { SendingUnit } from '../../domain/content/sending-unit.ts'
import type { Services } from '../context.ts'

/** Where calendar files are: `<base URL>/calendar/<token>.ics`. */
export const calendarPath = '/calendar/'

/** Whose entry a file is: a message's, the same for all of its recipients; or of one person's place in a pattern. */
export type EntryOwner = { messageId: string } | { patternId: string; subjectId: string }

/** Stands for the person in the token of a message's entry. */
export const noPerson = '00000000-0000-0000-0000-000000000000'

type Public = Pick<Services, 'links' | 'publicUrl'>

/**
 * What the content of a message offers for the calendars of its recipients; nothing without an entry. `title`: the message's.
 * @throws ServiceError not_configured where the installation has no public address, or no key
 */
export function calendarOffer(
  services: Public,
  { messageId, unit, title }: { messageId: string; unit: SendingUnit; title: LocalisedText },
  entry: CalendarEntry | undefined,
): { calendar?: CalendarOffer } {
  if (!entry) return {}
  const owner = { messageId }
  const file = calendarFileOf(services, owner, { entry, unit, title })
  const urls = { 'zh-TW': calendarUrl(services, owner, 'zh-TW'), en: calendarUrl(services, owner, 'en') }
  const files = { 'zh-TW': writeCalendarFile(file, 'zh-TW'), en: writeCalendarFile(file, 'en') }
  return { calendar: { entry: file.entry, timeZone: unit.timeZone, urls, files } }
}

/**
 * The address of the file of an entry, which names it by a signature.
 * @throws ServiceError not_configured
 */
export function calendarUrl({ links, publicUrl }: Public, owner: EntryOwner, locale: Locale): string {
  if (!links || publicUrl === undefined)
    throw new ServiceError(
      'not_configured',
      'A calendar entry needs the public address of the hub and its secrets key. Ask the operator to set both, or leave ' +
        'the entry out.',
    )
  const [waveId, subjectId] = idsOf(owner)
  const [token] = links.sign({ waveId, subjectId }, [{ purpose: 'calendar', locale }])
  return `${publicUrl}${calendarPath}${token}.ics`
}

/** The file of an entry. Its title, where it has none: that of its message or pattern. */
export function calendarFileOf(
  { publicUrl = '' }: Public,
  owner: EntryOwner,
  { entry, unit, title }: { entry: CalendarEntry; unit: SendingUnit; title: LocalisedText },
): CalendarFile {
  const ids = idsOf(owner)
  const host = URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'carillon'
  return {
    uid: `${ids.filter((id) => id !== noPerson).join('.')}@${host}`,
    madeAt: momentOf(ids[0]),
    entry: { ...entry, title: entry.title ?? title },
    unit,
    organiser: unit.replyTo ?? `no-reply@${host}`,
  }
}

function idsOf(owner: EntryOwner): [string, string] {
  return 'messageId' in owner ? [owner.messageId, noPerson] : [owner.patternId, owner.subjectId]
}
