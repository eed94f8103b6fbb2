import type { ChosenDimension } from '../../../contract/audience-values.ts'
import {
  type AudienceDimension,
  type HistoryKind,
  keysOf,
  stages,
  subjectRoles,
} from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { searchFor } from './form/parse-form.ts'
import {
  type Choice,
  changeButton,
  chips,
  type FormState,
  field,
  notesOf,
  radios,
  valueIn,
  valuesIn,
} from './inputs.ts'
import { composeWords } from './words.ts'

type Named = readonly Choice[]

/** What can be chosen for an audience: values and what people call them. `messages`: the newest that were sent. */
export type Choices = Record<ChosenDimension | 'messages', Named>

/** Whom the message is for. */
export function whomSection(form: FormState, choices: Choices): Markup {
  const { locale } = form
  const words = composeWords[locale]
  const kind = radios(form, 'audience.kind', words.sections.whom, [
    ['query', words.some],
    ['all', words.everybody],
  ])
  const everybody = valueIn(form, 'audience.kind') === 'all'
  const { notes } = notesOf(form, 'audience')
  const excludes = form.fields.some(([name]) => name.startsWith('audience.exclude.'))
  const some = everybody ? html`` : dimensionFields(form, 'audience', choices)
  const others = dimensionFields(form, 'audience.exclude', choices)
  return html`<h2>${words.sections.whom}</h2>\n${kind}<div id="audience">${notes}${some}</div>
<details${excludes ? html` open` : html``}><summary>${words.exclude}</summary><div class="entry">${others}</div></details>\n`
}

/** The dimensions of an audience, each to be unfolded; open where something is chosen or looked for. */
function dimensionFields(form: FormState, path: string, choices: Choices): Markup {
  const { locale } = form
  const { dimensions, roles, stages: stageWords } = kitWords[locale]
  const { history } = composeWords[locale]
  const all = {
    roles: [dimensions.roles, subjectRoles.map((role) => [role, roles[role]] as const), null],
    stages: [dimensions.stages, stages.map((stage) => [stage, stageWords[stage]] as const), null],
    orgUnits: [dimensions.orgUnits, choices.orgUnits, 'orgUnits'],
    classIds: [dimensions.classIds, choices.classIds, 'classIds'],
    tags: [dimensions.tags, choices.tags, 'tags'],
    groups: [dimensions.groups, choices.groups, 'groups'],
    'history.registered': [history.registered, choices.patterns, 'patterns'],
    'history.received': [history.received, choices.messages, null],
    'history.answered': [history.answered, choices.messages, null],
  } satisfies Record<
    Exclude<AudienceDimension, 'history'> | `history.${HistoryKind}`,
    [string, Named, ChosenDimension | null]
  >
  return html`${keysOf(all).map((name) => {
    const [label, values, searched] = all[name]
    return dimensionField(form, `${path}.${name}`, { label, values, searched })
  })}`
}

type Dimension = { label: string; values: Named; searched: ChosenDimension | null }

function dimensionField(form: FormState, path: string, { label, values, searched }: Dimension): Markup {
  const { locale } = form
  const words = composeWords[locale]
  const chosen = valuesIn(form, `${path}[]`).length
  const search = searched === null ? '' : searchFor(searched)
  const sought = search !== '' && valueIn(form, search) !== ''
  if (values.length === 0 && chosen === 0 && !sought) return html``
  const count =
    chosen === 0 ? html`` : html` <span class="tag">${words.chosen(numberOf(locale, chosen))}</span>`
  // One field of a search is enough: where people are left out, the same values are offered.
  const isFirst = search !== '' && !form.fieldNames.has(search)
  const finds =
    isFirst && (values.length >= limits.audienceChoices || sought)
      ? html`${[
          field(form, search, words.search, { type: 'text', optional: true }),
          changeButton('check', words.find, `${words.find} ${label}`),
        ]}`
      : html``
  const open = chosen > 0 || sought ? html` open` : html``
  const picks = chips(form, path, label, values)
  return html`<details${open}><summary>${label}${count}</summary>${finds}${picks}</details>\n`
}
