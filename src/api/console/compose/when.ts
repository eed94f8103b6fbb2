import type { Unit } from '../../../db/queries/identity/unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { zoneName } from '../kit/format.ts'
import { bothLanguages, type FormState, field, select, valueIn } from './inputs.ts'
import { composeWords } from './words.ts'

/** When the message is sent, how fast, when again, and what recipients can add to their calendars. */
export function whenSection(form: FormState, unit: Unit): Markup {
  const { locale } = form
  const words = composeWords[locale]
  const { fields } = words
  const time = (name: 'scheduleAt' | 'expiresAt' | 'remindAt') =>
    field(form, name, fields[name], { type: 'datetime-local', optional: true })
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
  select(form, 'remindTo', fields.remindTo, whom, words.noReminder),
  paceField(form),
  calendarFields(form),
]}`
}

/** A pace over a time is carried along as it is. */
function paceField(form: FormState): Markup {
  if (valueIn(form, 'pace.overSeconds#') !== '') return html``
  return field(form, 'pace.perMinute#', composeWords[form.locale].fields.pace, {
    type: 'number',
    optional: true,
  })
}

/** An entry for calendars. */
export function calendarFields(form: FormState): Markup {
  const { calendar, fields } = composeWords[form.locale]
  const open = form.fields.some(([name, value]) => name.startsWith('calendar.') && value !== '')
  const time = (name: 'start' | 'end') =>
    field(form, `calendar.${name}`, fields[name], { type: 'datetime-local', optional: name === 'end' })
  return html`<details${open ? html` open` : html``}><summary>${calendar}</summary>${[
    time('start'),
    time('end'),
    bothLanguages(form, 'calendar.title', fields.title, { optional: true }),
    bothLanguages(form, 'calendar.location', fields.location, { optional: true }),
  ]}</details>\n`
}
