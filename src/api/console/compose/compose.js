// Saves what is written a moment after the last key: it posts the form as its buttons do, one post after another, and shows
// what the answer says. Nothing that is typed meanwhile is lost (docs/design/console.md).
import { findCopy } from './copy.js'
import {
  completeAddress,
  elementOf,
  fieldOf,
  formIn,
  insert,
  pasteLines,
  readingOf,
  redraw,
  showNotes,
  showNumbers,
  showRegions,
  textOf,
  textOfReading,
} from './fields.js'
import { merge, namesIn } from './merge.js'
import { showUploads } from './upload.js'

/** A press of a button; `act` names entries by their keys, `press` it alone. @typedef {{ act: string, press: string }} Press */
/** @typedef {Press & { text: string, version: string }} Post */
/**
 * What this browser keeps until it is saved: the text, the version over which it was typed, the post that has no answer
 * yet, and the presses that wait behind it.
 * @typedef {{ text: string, version: string, post: Post | null, presses: Press[] }} Work
 */

const [pauseMs, retryMs, answerMs] = [600, 5_000, 30_000]
const form = formIn()
const state = elementOf('state')
const version = fieldOf(form, 'version')
const person = fieldOf(form, 'person').value
/** @type {Work} */
let work = { text: '', version: version.value, post: null, presses: [] }
/** What the server has. */
let saved = textOf(form)
/** Where this browser keeps the work. */
let copy = ''
/** Somebody else's words are in the way: nothing is saved until a person has chosen. `theirs`: their version. */
let stale = document.querySelector('#stale .box') !== null
let theirs = version.value
/** What was kept is not in the fields yet; until it is, nobody types over it. */
let restoring = false
let composing = false
let checked = form.dataset.checked !== undefined
/** Fields that were left, by their names with keys: what is wrong there is said. @type {Set<string>} */
const left = new Set()
/** The wait for the end of typing. @type {number | undefined} */
let pause
/** @type {Promise<void> | null} */
let posting = null
/** Why nothing can be saved now, as `say` has it. */
let trouble = ''
/** The field into which what is chosen is put. */
let into = ''

form.addEventListener('input', typed)
form.addEventListener('change', changed)
form.addEventListener('focusout', leave)
form.addEventListener('paste', pasteLines)
form.addEventListener('compositionstart', () => (composing = true))
form.addEventListener('compositionend', () => {
  composing = false
  typed()
})
form.addEventListener('submit', press)
document.addEventListener('visibilitychange', () => document.hidden && flush())
window.addEventListener('online', flush)
document.addEventListener('click', click)
restore()
const numbers = elementOf('numbers').dataset
if (numbers.of && numbers.counted === undefined) count()

/**
 * Puts back what was kept: it is posted over the version that it was typed over, and the answer has it in its fields. If
 * somebody has saved something else since, a person chooses.
 */
async function restore() {
  const prefix = `compose ${person} ${form.getAttribute('action')} `
  const kept = Object.keys(localStorage).some((name) => name.startsWith(prefix))
  form.inert = kept
  copy = await findCopy(prefix)
  const found = /** @type {Work | null} */ (JSON.parse(localStorage.getItem(copy) ?? 'null'))
  restoring = found !== null && !stale
  form.inert = restoring
  if (found && restoring) work = found
  else keep()
  await post()
}

/** What is written now. */
function written() {
  return restoring ? work.text : textOf(form)
}

function isSaved() {
  return work.post === null && work.presses.length === 0 && written() === saved
}

/** What is not saved is kept: neither a reload nor the end of the browser loses it. */
function keep() {
  if (copy === '') return
  work.text = written()
  if (isSaved()) return localStorage.removeItem(copy)
  try {
    localStorage.setItem(copy, JSON.stringify(work))
  } catch {
    // There is no room for more. It is still on the page.
  }
}

/** @param {string} what */
function say(what) {
  state.textContent = state.dataset[what] ?? ''
}

function typed() {
  keep()
  if (!isSaved()) say(stale ? 'stale' : trouble || 'unsaved')
  clearTimeout(pause)
  pause = setTimeout(flush, pauseMs)
}

/** Saves what was typed in a field that is left, and says from then on what is wrong with it. @param {FocusEvent} event */
function leave({ target }) {
  const field = /** @type {HTMLInputElement} */ (target)
  const { name = '' } = field
  completeAddress(field)
  left.add(keyed(name.replace(/(\[\]|#)$/, '')))
  setTimeout(flush)
}

/** @param {MouseEvent} event */
function click({ target }) {
  const { dataset } = /** @type {HTMLElement} */ (target)
  if (dataset.forget !== undefined) localStorage.removeItem(copy)
  into = dataset.for ?? into
  if (dataset.insert) insert(fieldOf(form, into), dataset.insert)
}

/** @param {string} name */
function keyed(name) {
  return namesIn(readingOf(textOf(form))).keyed(name)
}

/** Posts now what waits; resolves once it is answered. */
async function flush() {
  clearTimeout(pause)
  pause = undefined
  await posting
  await post()
}

function post() {
  posting ??= postAll().finally(() => {
    posting = null
  })
  return posting
}

async function postAll() {
  for (let one = next(); one; one = next()) if (!(await exchange(one))) return void setTimeout(post, retryMs)
}

/** What is posted next: again what had no answer, a press, or what was typed. @returns {Post | null} */
function next() {
  if (stale || copy === '') return null
  if (work.post) return work.post
  const { numbered } = namesIn(readingOf(written()))
  const press = restoring ? { act: 'draw', press: random() } : work.presses.shift()
  // What is pressed at an entry that is gone does nothing.
  if (press && numbered(press.act) === null) return next()
  if (!press && (pause !== undefined || composing || written() === saved)) return null
  work.post = { ...(press ?? { act: 'save', press: random() }), text: written(), version: work.version }
  keep()
  return work.post
}

function random() {
  return Math.random().toString(36).slice(2, 10)
}

/** Posts it, and takes the answer in. False: there was none. @param {Post} one */
async function exchange(one) {
  if (one.act !== 'save' && !trouble) say('saving')
  const answer = await answerTo(one)
  const html = answer?.ok || answer?.status === 409 ? await answer.text().catch(() => '') : ''
  const page = pageOf(html)
  if (page.getElementById('compose')) {
    trouble = ''
    await take(page, one, answer?.status === 409)
    return true
  }
  trouble = troubleOf(answer)
  // As it is, it would be refused again.
  if (trouble === 'rejected') work.post = null
  keep()
  say(trouble)
  return false
}

/** @param {Post} one */
function answerTo({ text, ...one }) {
  const reading = readingOf(text)
  const act = namesIn(reading).numbered(one.act) ?? one.act
  const body = new URLSearchParams([...reading, ...Object.entries({ ...one, act, person })])
  const path = `${form.action}?part=${one.act === 'save' ? 'beside' : 'form'}${checked ? '&checked' : ''}`
  const signal = AbortSignal.timeout(answerMs)
  return fetch(path, { method: 'POST', body, cache: 'no-store', signal }).catch(() => null)
}

/** @param {Response | null} answer */
function troubleOf(answer) {
  if (answer?.status === 401) return 'over'
  if (answer?.redirected || answer?.status === 403 || answer?.status === 404) return 'gone'
  return answer?.status === 400 || answer?.status === 413 ? 'rejected' : 'failed'
}

/**
 * Takes an answer in. `conflict`: it is not saved, since somebody has saved something else.
 * @param {Document} page @param {Post} one @param {boolean} conflict
 */
async function take(page, one, conflict) {
  const made = formIn(page)
  const redraws = page.getElementById('fields') !== null && (restoring || !conflict)
  // A word that an input method composes is finished first.
  while (redraws && composing)
    await new Promise((done) => form.addEventListener('compositionend', done, { once: true }))
  work.post = null
  if (conflict) theirs = fieldOf(made, 'version').value
  else version.value = work.version = fieldOf(made, 'version').value
  // A press waits until it can be done; what was kept is shown first.
  if (conflict && !['save', 'draw', 'check'].includes(one.act))
    work.presses.unshift({ act: one.act, press: one.press })
  stale = conflict && (!restoring || one.act === 'draw')
  if (redraws) {
    const merged = merge(readingOf(one.text), readingOf(written()), readingOf(textOf(made)))
    if (!conflict) saved = textOf(made)
    work.text = textOfReading(merged)
    if (!restoring || one.act === 'draw') show(page, one.act)
  } else if (!conflict) saved = one.text
  showRegions(page)
  if (showNumbers(page, false)) count()
  showNotes(page, isSaid)
  keep()
  if (!stale && !isSaved()) say('unsaved')
}

/** Asks whom it would reach: that may take long, and is asked only when it may have changed. */
async function count() {
  const answer = await fetch(`${form.action}?part=numbers`, { cache: 'no-store' }).catch(() => null)
  if (answer?.ok && !answer.redirected) showNumbers(pageOf(await answer.text()), true)
}

/** @param {string} html */
function pageOf(html) {
  return new DOMParser().parseFromString(html, 'text/html')
}

/** Shows the fields of an answer, with what is written. @param {Document} page @param {string} act */
function show(page, act) {
  redraw(form, page, readingOf(work.text), act)
  showUploads()
  if (restoring) form.inert = restoring = false
  if (act === 'check') elementOf('check').scrollIntoView({ block: 'nearest' })
}

/** Whether it is to be said what is wrong at a path. @param {string} path @param {boolean} missing */
function isSaid(path, missing) {
  if (checked) return true
  const name = keyed(path)
  return !missing && [...left].some((one) => one === name || one.startsWith(`${name}.`))
}

/** @param {Event} event */
async function changed({ target }) {
  const field = /** @type {HTMLInputElement} */ (target)
  completeAddress(field)
  // Some choices change which fields there are.
  if (field.matches('[type=radio], select')) enqueue('draw')
  await flush()
}

/** @param {string} act */
function enqueue(act) {
  if (work.presses.at(-1)?.act !== 'draw' || act !== 'draw') work.presses.push({ act, press: random() })
  keep()
}

/**
 * A press that changes the form is answered in place; what leaves the page does so once everything is saved.
 * @param {SubmitEvent} event
 */
async function press(event) {
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter)
  const act = submitter?.value ?? 'check'
  const leaves = act === 'submit' || act === 'test'
  if (leaves && isSaved() && !stale) return
  event.preventDefault()
  if (leaves) {
    await flush()
    // The answer may have changed what the button says: then it is read again before it is pressed.
    if (isSaved() && submitter?.isConnected) form.requestSubmit(submitter)
    return
  }
  if (submitter?.closest('#stale')) {
    stale = false
    version.value = work.version = theirs
  }
  if (act === 'check') checked = true
  enqueue(keyed(act))
  // Nobody writes in what is about to go.
  if (act.startsWith('remove ')) submitter?.closest('fieldset')?.setAttribute('inert', '')
  if (stale) elementOf('stale').scrollIntoView({ block: 'nearest' })
  await flush()
}
