import type { Unit } from '../../../db/queries/identity/unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { zoneName } from '../kit/format.ts'
import { bothLanguages, field, select, valueIn, type Written } from './inputs.ts'
import { composeWords } from './words.ts'

/** When the message is sent, how fast, when again, and what recipients can add to their calendars. */
export function whenSection(written: Written, unit: Unit): Markup {
  const { locale } = written
  const words = composeWords[locale]
  const { fields } = words
  const time = (name: 'scheduleAt' | 'expiresAt' | 'remindAt') =>
    field(written, name, fields[name], { type: 'datetime-local', optional: true })
  const whom = [
    ['all', words.remindTo.all],
    ['unanswered', words.remindTo.unanswered],
  ] as const
  const zone = zoneName(locale, unit.timeZone, new Date().toISOString())
  return html`<h2>${words.sections.when}</h2>
<p class="quiet">${words.zone(zone)}</p>
${[
  time('scheduleAt'),
  time('expiresAt'),
  time('remindAt'),
  select(written, 'remindTo', fields.remindTo, whom, words.noReminder),
  paceField(written),
  calendarFields(written),
]}`
}

/** A pace over a time is carried along as it is. */
function paceField(written: Written): Markup {
  if (valueIn(written, 'pace.overSeconds#') !== '') return html``
  return field(written, 'pace.perMinute#', composeWords[written.locale].fields.pace, {
    type: 'number',
    optional: true,
  })
}

/** An entry for calendars. */
export function calendarFields(written: Written): Markup {
  const { calendar, fields } = composeWords[written.locale]
  const open = written.fields.some(([name, value]) => name.startsWith('calendar.') && value !== '')
  const time = (name: 'start' | 'end') =>
    field(written, `calendar.${name}`, fields[name], { type: 'datetime-local', optional: name === 'end' })
  return html`<details${open ? html` open` : html``}><summary>${calendar}</summary>${[
    time('start'),
    time('end'),
    bothLanguages(written, 'calendar.title', fields.title, { optional: true }),
    bothLanguages(written, 'calendar.location', fields.location, { optional: true }),
  ]}</details>\n`
}
