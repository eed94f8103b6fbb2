import { isOneOf, locales } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { pictureTypes } from '../../../contract/media.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { numberOf } from '../kit/format.ts'
import { marker, type WrittenKind, writtenKinds } from './form/acts.ts'
import { numbersIn } from './form/fields.ts'
import {
  bothLanguages,
  changeButton,
  field,
  hidden,
  idOf,
  moveButtons,
  notesOf,
  type Place,
  select,
  valueIn,
  type Written,
} from './inputs.ts'
import { composeWords } from './words.ts'

/** What a message or a template says in words of its own. */
export function ownWords(written: Written): Markup {
  const { fields } = composeWords[written.locale]
  const open = locales.some((one) => valueIn(written, `subject.${one}`) !== '')
  const subject = bothLanguages(written, 'subject', fields.subject, { optional: true })
  return html`<div id="messages">${blocksSection(written)}</div>
<details${open ? html` open` : html``}><summary>${fields.subject}</summary>${subject}</details>\n`
}

/** The blocks that are written, each with its fields, and buttons for another one. */
function blocksSection(written: Written): Markup {
  const words = composeWords[written.locale]
  const shown = numbersIn(written.fields, 'messages').slice(0, limits.messagesPerIntent + 1)
  const blocks = shown.map((number, at, all) =>
    blockFields(written, `messages.${number}`, { at: at + 1, first: at === 0, last: at === all.length - 1 }),
  )
  const adds = writtenKinds.map((kind) => changeButton(`add ${kind}`, words.addOne(words.kinds[kind])))
  return html`${blocks}<div class="acts adds" role="group" aria-label="${words.add}">${adds}</div>\n`
}

function blockFields(written: Written, path: string, place: Place): Markup {
  const words = composeWords[written.locale]
  const kind = valueIn(written, `${path}.kind`)
  if (!isOneOf(writtenKinds, kind)) return html``
  const legend = words.block(numberOf(written.locale, place.at), words.kinds[kind])
  return html`<fieldset class="written"><legend>${legend}</legend>
${hidden(written, `${path}.kind`)}
${fieldsOfKind[kind](written, path)}${moveButtons(written, path, { legend, place, remove: words.remove })}</fieldset>\n`
}

const fieldsOfKind: Record<WrittenKind, (written: Written, path: string) => Markup> = {
  text: (written, path) => html`${texts(written, path, 'text', 4)}${format(written, path)}`,
  image: (written, path) => {
    const { fields } = composeWords[written.locale]
    return html`${pictureField(written, `${path}.url`, fields.url)}${texts(written, path, 'alt')}`
  },
  buttons: (written, path) =>
    html`${texts(written, path, 'text', 3)}${entries(written, `${path}.actions`, 'actions')}`,
  card: cardFields,
  carousel: (written, path) => entries(written, `${path}.cards`, 'cards'),
  quickReply: (written, path) =>
    html`${texts(written, path, 'text', 3)}${entries(written, `${path}.options`, 'options')}`,
  sticker: (written, path) => {
    const { fields } = composeWords[written.locale]
    return html`${[
      field(written, `${path}.packageId`, fields.packageId),
      field(written, `${path}.stickerId`, fields.stickerId),
      bothLanguages(written, `${path}.fallbackText`, fields.fallbackText, { optional: true }),
    ]}`
  },
}

function cardFields(written: Written, path: string): Markup {
  const { fields } = composeWords[written.locale]
  return html`${[
    bothLanguages(written, `${path}.title`, fields.title),
    bothLanguages(written, `${path}.body`, fields.body, { rows: 3, optional: true }),
    format(written, path),
    html`<details><summary>${fields.header} · ${fields.imageUrl}</summary>`,
    bothLanguages(written, `${path}.header`, fields.header, { optional: true }),
    pictureField(written, `${path}.imageUrl`, fields.imageUrl, true),
    html`</details>\n`,
    entries(written, `${path}.actions`, 'actions'),
  ]}`
}

/** The address of a picture; the script puts there where an uploaded one is. */
function pictureField(written: Written, name: string, label: string, optional = false): Markup {
  const { upload } = composeWords[written.locale]
  const file = html`<input type="file" accept="${pictureTypes.join(',')}" data-for="${idOf(name)}">`
  return html`${field(written, name, label, { type: 'url', optional })}<label class="field upload" hidden>${upload}${file}</label>\n`
}

function texts(written: Written, path: string, name: 'text' | 'alt', rows?: number): Markup {
  const { fields } = composeWords[written.locale]
  return bothLanguages(written, `${path}.${name}`, fields[name], rows === undefined ? {} : { rows })
}

function format(written: Written, path: string): Markup {
  const { fields, formats } = composeWords[written.locale]
  return select(written, `${path}.format`, fields.format, [
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
function entries(written: Written, list: string, of: List): Markup {
  const words = composeWords[written.locale]
  // Of what is beyond, one is shown with what is wrong.
  const shown = numbersIn(written.fields, list).slice(0, mostOf[of] + 1)
  const rows = shown.map((number, at) => {
    const entry = `${list}.${number}`
    const legend = `${words.entry[of]} ${at + 1}`
    const removes = changeButton(
      `remove ${entry}`,
      words.removeEntry(String(at + 1)),
      `${legend} ${words.remove}`,
    )
    return html`<fieldset class="entry"><legend>${legend}</legend>${fieldsOfEntry[of](written, entry)}${removes}</fieldset>\n`
  })
  return html`<div id="${idOf(list)}">${notesOf(written, list).notes}${rows}</div><p>${changeButton(`more ${list}`, words.more[of])}</p>\n`
}

const fieldsOfEntry: Record<List, (written: Written, entry: string) => Markup> = {
  actions: (written, entry) => {
    const { fields, doesElse } = composeWords[written.locale]
    // Buttons that do something else are made by programs; their words can be changed here.
    const opens = valueIn(written, `${entry}.kind`) === 'uri'
    const link = opens
      ? field(written, `${entry}.url`, fields.link, { type: 'url' })
      : html`<p class="quiet">${doesElse}</p>\n`
    return html`${hidden(written, `${entry}.kind`)}${bothLanguages(written, `${entry}.label`, fields.label)}${link}`
  },
  options: (written, entry) => {
    const { fields } = composeWords[written.locale]
    return html`${hidden(written, `${entry}.id`)}${bothLanguages(written, `${entry}.label`, fields.label)}`
  },
  cards: (written, entry) => html`${hidden(written, `${entry}.${marker}`, '1')}${cardFields(written, entry)}`,
}
