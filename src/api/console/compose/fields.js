// The fields of a form as the page shows them.
import { namesIn } from './merge.js'

/** @typedef {import('./merge.js').Reading} Reading */
/** An entry of a form, or a button of it. @typedef {HTMLInputElement} Field */

/** An element that a page has. @param {string} id @param {Document} [page] */
export function elementOf(id, page = document) {
  return /** @type {HTMLElement} */ (page.getElementById(id))
}

/** The form of a page. @param {Document} [page] */
export function formIn(page) {
  return /** @type {HTMLFormElement} */ (elementOf('compose', page))
}

/** @param {HTMLFormElement} form @param {string} name */
export function fieldOf(form, name) {
  return /** @type {Field} */ (form.elements.namedItem(name))
}

/** @param {HTMLFormElement} form */
function fieldsOf(form) {
  return /** @type {Field[]} */ ([...form.elements])
}

/** What a form holds, without what belongs to the page. @param {HTMLFormElement} form */
export function textOf(form) {
  const data = new FormData(form)
  for (const name of ['version', 'person']) data.delete(name)
  return textOfReading(/** @type {Reading} */ ([...data]))
}

/** @param {Reading} reading */
export function textOfReading(reading) {
  return new URLSearchParams(reading).toString()
}

/** @param {string} text @returns {Reading} */
export function readingOf(text) {
  return [...new URLSearchParams(text)]
}

/**
 * Shows the fields of an answer with what is written in them. Whoever writes in one goes on there; who has added something
 * goes on in it.
 * @param {HTMLFormElement} form @param {Document} page @param {Reading} written @param {string} act
 */
export function redraw(form, page, written, act) {
  const before = spotsIn(form)
  const at = document.activeElement
  const focus = at && fieldsOf(form).includes(/** @type {Field} */ (at)) ? /** @type {Field} */ (at) : null
  const [spot, edges] = [focus && before.get(focus), focus && edgesOf(focus)]
  replaceIn(elementOf('fields'), elementOf('fields', page))
  fill(form, written)
  const known = new Set(before.values())
  const after = [...spotsIn(form)]
  const same = after.find(([, one]) => one === spot)?.[0]
  const writes = focus !== null && focus.type !== 'submit'
  const added = /^(add|more) /.test(act) && !writes
  const target = added
    ? after.find(([{ type }, one]) => !/hidden|submit|fieldset/.test(type) && !known.has(one))?.[0]
    : same
  if (!target?.isConnected || target === document.activeElement) return
  target.focus({ preventScroll: target === same })
  if (target === same && edges) target.setSelectionRange(...edges)
}

/** Where each field stands, by the keys of its entries. @param {HTMLFormElement} form */
function spotsIn(form) {
  const { keyed } = namesIn(readingOf(textOf(form)))
  /** @type {Map<Field, string>} */
  const spots = new Map()
  for (const field of fieldsOf(form)) {
    const value = /radio|checkbox|submit/.test(field.type) ? keyed(field.value) : field.type
    spots.set(field, `${keyed(field.name || (field.dataset.for ?? ''))} ${value}`)
  }
  return spots
}

/** What is marked in a text, or where its caret is. @param {Field} field @returns {[number, number] | null} */
function edgesOf({ selectionStart: start, selectionEnd: end }) {
  return start === null || end === null || start === undefined ? null : [start, end]
}

/** Writes into the fields; what has none is carried along. @param {HTMLFormElement} form @param {Reading} written */
function fill(form, written) {
  /** @type {Map<string, string[]>} */
  const values = new Map()
  for (const [name, value] of written) values.set(name, [...(values.get(name) ?? []), value])
  for (const field of fieldsOf(form)) {
    const own = values.get(field.name) ?? []
    if (!elementOf('fields').contains(field) || /submit|file/.test(field.type)) continue
    if (/radio|checkbox/.test(field.type)) {
      field.checked = own.includes(field.value)
      if (field.checked) own.splice(own.indexOf(field.value), 1)
    } else if (own[0] !== undefined) setValue(field, /** @type {string} */ (own.shift()))
  }
  for (const [name, rest] of values)
    for (const value of rest) {
      const carried = Object.assign(document.createElement('input'), { type: 'hidden', name, value })
      elementOf('fields').append(carried)
    }
}

/** A choice that is not offered any more stays until another is made. @param {Field | HTMLSelectElement} field @param {string} value */
function setValue(field, value) {
  if (field.value === value) return
  field.value = value
  if (field.value !== value && field instanceof HTMLSelectElement)
    field.append(new Option(value, value, true, true))
}

/** People write `www.example.edu`, and mean that. @param {Field} field */
export function completeAddress(field) {
  if (field.type === 'url' && /^[^\s:/?#@]+\.[^\s:/?#@]+([:/?#]\S*)?$/.test(field.value))
    field.value = `https://${field.value}`
}

/** The line end of Word (U+000B) becomes one that is seen. @param {ClipboardEvent} event */
export function pasteLines(event) {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (!text.includes('\v') || !(event.target instanceof HTMLTextAreaElement)) return
  event.preventDefault()
  // Unlike a new value, this can be undone.
  document.execCommand('insertText', false, text.replaceAll('\v', '\n'))
}

/** Puts a variable of a template where the caret is. @param {Field} field @param {string} text */
export function insert(field, text) {
  elementOf('inserts').hidePopover()
  field.focus()
  document.execCommand('insertText', false, text)
}

/** Shows what the answer says beside the fields. @param {Document} page */
export function showRegions(page) {
  for (const region of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(region.id)
    if (fresh !== null && fresh.innerHTML !== region.innerHTML) replaceIn(region, fresh)
  }
}

/**
 * Shows whom it would reach and the button with that number, unless what is shown is about the same already. `asked`: the
 * answer is that of a request for them. Returns whether they are to be asked for.
 * @param {Document} page @param {boolean} asked
 */
export function showNumbers(page, asked) {
  const [shown, fresh] = [elementOf('numbers'), elementOf('numbers', page)]
  const isSame = shown.dataset.of === fresh.dataset.of
  if (asked ? !isSame : isSame && fresh.dataset.of !== '') return false
  for (const id of ['numbers', 'submit']) replaceIn(elementOf(id), elementOf(id, page))
  shown.dataset.of = fresh.dataset.of
  return !asked && fresh.dataset.of !== ''
}

/**
 * Shows at each field what the answer says is wrong with it, if that is to be said already.
 * @param {Document} page @param {(path: string, missing: boolean) => boolean} isSaid
 */
export function showNotes(page, isSaid) {
  for (const note of elementOf('fields').querySelectorAll('.wrong[id]')) {
    const fresh = page.getElementById(note.id)
    const { at = '', missing } = fresh?.dataset ?? {}
    const wrong = fresh !== null && !fresh.hidden && isSaid(at, missing !== undefined)
    const text = wrong ? fresh.textContent : ''
    const shown = /** @type {HTMLElement} */ (note)
    if (shown.textContent !== text) shown.textContent = text
    shown.hidden = !wrong
    if (fresh?.dataset.code) shown.dataset.code = fresh.dataset.code
    const field = document.getElementById(note.id.replace(/-wrong$/, ''))
    if (!field?.matches('input, select, textarea')) continue
    field.toggleAttribute('aria-invalid', false)
    if (wrong) field.setAttribute('aria-invalid', 'true')
    if (wrong) field.setAttribute('aria-describedby', note.id)
    else field.removeAttribute('aria-describedby')
  }
}

/** Shows something anew. What was unfolded stays so. @param {Element} region @param {Element} fresh */
function replaceIn(region, fresh) {
  const unfolded = [...region.querySelectorAll('details[open]')].map(labelOf)
  region.replaceChildren(...document.importNode(fresh, true).childNodes)
  for (const one of region.querySelectorAll('details')) if (unfolded.includes(labelOf(one))) one.open = true
}

/** What is unfolded by, without how much is chosen there. @param {Element} details */
function labelOf(details) {
  return details.firstElementChild?.firstChild?.textContent
}
