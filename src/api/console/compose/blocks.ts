import type { Length } from '../../../channels/chat/compile-context.ts'
import { isOneOf } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { pictureTypes } from '../../../contract/media.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from '../kit/format.ts'
import { type WrittenKind, writtenKinds } from './form/acts.ts'
import { numbersIn } from './form/fields.ts'
import { keyField } from './form/keys.ts'
import {
  bothLanguages,
  changeButton,
  type FormState,
  field,
  hidden,
  idOf,
  moveButtons,
  notesOf,
  type Position,
  type Shape,
  select,
  valueIn,
} from './inputs.ts'
import { composeWords } from './words.ts'

/** The blocks that are written, each with its fields, and buttons for another one. */
export function blocksSection(form: FormState): Markup {
  const words = composeWords[form.locale]
  const numbers = numbersIn(form.fields, 'messages').slice(0, limits.messagesPerIntent + 1)
  const blocks = numbers.map((number, at, all) =>
    blockFields(form, `messages.${number}`, { at: at + 1, first: at === 0, last: at === all.length - 1 }),
  )
  const adds = writtenKinds.map((kind) => changeButton(`add ${kind}`, words.addOne(words.kinds[kind])))
  const others = html`<div class="acts adds" role="group" aria-label="${words.add}">${adds}</div>`
  return html`<div id="messages">${blocks}${others}</div>\n`
}

function blockFields(form: FormState, path: string, position: Position): Markup {
  const words = composeWords[form.locale]
  const kind = valueIn(form, `${path}.kind`)
  if (!isOneOf(writtenKinds, kind)) return html``
  const legend = words.block(numberOf(form.locale, position.at), words.kinds[kind])
  return html`<fieldset class="written"><legend>${legend}</legend>
${hidden(form, `${path}.kind`)}${hidden(form, `${path}.${keyField}`)}
${fieldsOfKind[kind](form, path)}${moveButtons(form, path, { legend, position, remove: words.remove, copies: true })}</fieldset>\n`
}

const fieldsOfKind: Record<WrittenKind, (form: FormState, path: string) => Markup> = {
  text: (form, path) => {
    // Of a formatted text, the marks do not count.
    const isPlain = valueIn(form, `${path}.format`) !== 'light'
    return html`${texts(form, path, 'text', { rows: 4, most: isPlain ? chatText(form) : undefined })}${format(form, path)}`
  },
  image: (form, path) => {
    const { fields } = composeWords[form.locale]
    return html`${pictureField(form, `${path}.url`, fields.url)}${texts(form, path, 'alt')}`
  },
  buttons: (form, path) =>
    html`${texts(form, path, 'text', { rows: 3 })}${entries(form, `${path}.actions`, 'actions')}`,
  card: cardFields,
  carousel: (form, path) => entries(form, `${path}.cards`, 'cards'),
  quickReply: (form, path) =>
    html`${texts(form, path, 'text', { rows: 3, most: chatText(form) })}${entries(form, `${path}.options`, 'options')}`,
  sticker: (form, path) => {
    const { fields } = composeWords[form.locale]
    return html`${[
      field(form, `${path}.packageId`, fields.packageId),
      field(form, `${path}.stickerId`, fields.stickerId),
      bothLanguages(form, `${path}.fallbackText`, fields.fallbackText, { optional: true }),
    ]}`
  },
}

function cardFields(form: FormState, path: string): Markup {
  const { fields } = composeWords[form.locale]
  return html`${[
    bothLanguages(form, `${path}.title`, fields.title),
    bothLanguages(form, `${path}.body`, fields.body, { rows: 3, optional: true }),
    format(form, path),
    html`<details><summary>${fields.header} · ${fields.imageUrl}</summary>`,
    bothLanguages(form, `${path}.header`, fields.header, { optional: true }),
    pictureField(form, `${path}.imageUrl`, fields.imageUrl, true),
    html`</details>\n`,
    entries(form, `${path}.actions`, 'actions'),
  ]}`
}

/** The address of a picture. The script offers before it to upload one, and says there what happens to it. */
function pictureField(form: FormState, name: string, label: string, optional = false): Markup {
  const { choose, states, retry } = composeWords[form.locale].pictures
  const id = idOf(name)
  const file = html`<input type="file" class="spoken" id="${id}-file" accept="${pictureTypes.join(',')}" data-for="${name}" aria-describedby="${id}-said">`
  const note = html`<span role="status" id="${id}-said"><span class="quiet"></span><span class="wrong"></span></span>`
  const again = html`<button type="button" class="mild small" data-for="${name}" hidden>${retry}</button>`
  return html`<div class="upload scripted" data-for="${name}">${file}<label for="${id}-file">${choose}</label><img alt="" hidden>
<progress max="1" aria-label="${states.uploading}" hidden></progress>${note}${again}</div>
${field(form, name, label, { type: 'url', optional })}`
}

function texts(form: FormState, path: string, name: 'text' | 'alt', shape: Shape = {}): Markup {
  const { fields } = composeWords[form.locale]
  return bothLanguages(form, `${path}.${name}`, fields[name], shape)
}

function chatText({ textLimits }: FormState): Length | undefined {
  return textLimits ? { units: textLimits.textUnits } : undefined
}

/** What a button of the chat carries: less below the last message, where options are chosen. */
function chatLabel({ textLimits, fields }: FormState, entry: string): Length | undefined {
  const last = numbersIn(fields, 'messages').at(-1)
  const isOption = entry.startsWith(`messages.${last}.options.`)
  if (!textLimits) return undefined
  return { graphemes: isOption ? textLimits.quickReplyLabelGraphemes : textLimits.flexLabelGraphemes }
}

function format(form: FormState, path: string): Markup {
  const { fields, formats } = composeWords[form.locale]
  return select(form, `${path}.format`, fields.format, [
    ['plain', formats.plain],
    ['light', formats.light],
  ])
}

type List = 'actions' | 'options' | 'cards'

/** How many entries of a list have fields: no list may have more. */
const mostOf: Record<List, number> = {
  actions: limits.actionsPerButtons,
  options: limits.quickReplyOptions,
  cards: limits.cardsPerCarousel,
}

/** The entries of a list, each with its fields and a button that removes it. */
function entries(form: FormState, list: string, of: List): Markup {
  const words = composeWords[form.locale]
  // Of what is beyond, one is shown with what is wrong.
  const numbers = numbersIn(form.fields, list).slice(0, mostOf[of] + 1)
  const rows = numbers.map((number, at) => {
    const entry = `${list}.${number}`
    const legend = `${words.entry[of]} ${at + 1}`
    const removes = changeButton(
      `remove ${entry}`,
      words.removeEntry(String(at + 1)),
      `${legend} ${words.remove}`,
    )
    const inside = [hidden(form, `${entry}.${keyField}`), fieldsOfEntry[of](form, entry), removes]
    return html`<fieldset class="entry"><legend>${legend}</legend>${inside}</fieldset>\n`
  })
  return html`<div id="${idOf(list)}">${notesOf(form, list).notes}${rows}</div><p>${changeButton(`more ${list}`, words.more[of])}</p>\n`
}

const fieldsOfEntry: Record<List, (form: FormState, entry: string) => Markup> = {
  actions: (form, entry) => {
    const { fields, doesElse } = composeWords[form.locale]
    // Buttons that do something else are made by programs; their words can be changed here.
    const opens = valueIn(form, `${entry}.kind`) === 'uri'
    const link = opens
      ? field(form, `${entry}.url`, fields.link, { type: 'url' })
      : html`<p class="quiet">${doesElse}</p>\n`
    return html`${hidden(form, `${entry}.kind`)}${bothLanguages(form, `${entry}.label`, fields.label, { most: chatLabel(form, entry) })}${link}`
  },
  options: (form, entry) => {
    const { fields } = composeWords[form.locale]
    const label = bothLanguages(form, `${entry}.label`, fields.label, { most: chatLabel(form, entry) })
    return html`${hidden(form, `${entry}.id`)}${label}`
  },
  cards: cardFields,
}
