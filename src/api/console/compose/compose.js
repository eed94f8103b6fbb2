// Saves what is written: when a field is left, and at least every 15 s. It posts the form as its buttons do, and shows
// anew what the answer says beside the fields. What cannot be saved stays in this browser until it can.
const everyMs = 15_000
const form = /** @type {HTMLFormElement} */ (elementOf('compose'))
const version = /** @type {HTMLInputElement} */ (form.elements.namedItem('version'))
const state = elementOf('state')
const kept = `compose ${form.getAttribute('action')}`
let saved = formText()
/** @type {Promise<Document | null>} */
let posts = Promise.resolve(null)
let composing = false
/** Somebody else's words are in the way: nothing is saved until a person has chosen. */
let stale = document.querySelector('#stale .alert') !== null

restore()
setInterval(save, everyMs)
form.addEventListener('focusout', () => setTimeout(save))
form.addEventListener('change', changed)
form.addEventListener('compositionstart', () => (composing = true))
form.addEventListener('compositionend', () => (composing = false))
form.addEventListener('input', keep)
form.addEventListener('submit', press)
document.addEventListener('visibilitychange', () => document.hidden && save())
document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.matches('[data-forget]')) forget()
})

/** An element that the page has. @param {string} id @param {Document} [page] */
function elementOf(id, page = document) {
  return /** @type {HTMLElement} */ (page.getElementById(id))
}

/** What is in the form now, without what belongs to the page. */
function formText() {
  const fields = new FormData(form)
  for (const name of ['version', 'act']) fields.delete(name)
  return new URLSearchParams(/** @type {[string, string][]} */ ([...fields])).toString()
}

/** Typed and not saved: neither a reload nor the end of the browser loses it. `base`: what it was typed over. */
function keep() {
  localStorage.setItem(kept, JSON.stringify({ text: formText(), base: saved }))
}

function forget() {
  localStorage.removeItem(kept)
}

/**
 * Puts back what was typed and not saved; over what somebody has saved since, only once a person has chosen. Until it is
 * back, nobody types over it.
 */
async function restore() {
  offerUploads()
  const { text = saved, base } = JSON.parse(localStorage.getItem(kept) ?? '{}')
  if (text === saved || stale) return
  form.inert = true
  const page = await send('check', text, base === saved ? version.value : '0')
  if (page === null) return void setTimeout(restore, everyMs)
  form.inert = false
  redraw(page)
  if (!stale) say('restored')
}

function offerUploads() {
  for (const one of form.querySelectorAll('.upload')) /** @type {HTMLElement} */ (one).hidden = false
}

/** Saves what has changed. Returns the page that answers; null if nothing has, or there was no answer. */
function save() {
  return inLine(() => (composing || stale || formText() === saved ? null : send('save')))
}

/**
 * One post after another: each is about the version that the one before has left.
 * @param {() => Document | null | Promise<Document | null>} post
 */
function inLine(post) {
  posts = posts.then(post, post)
  return posts
}

/** Some choices change which fields there are. @param {Event} event */
async function changed(event) {
  const target = /** @type {HTMLInputElement} */ (event.target)
  if (target.type === 'file') await upload(target)
  if (!target.matches('[type=radio], select')) return save()
  const page = await inLine(() => (stale ? null : send('check')))
  if (page && formText() === saved) redraw(page)
}

/** Uploads a picture, and writes where it is into the field that it belongs to. @param {HTMLInputElement} input */
async function upload(input) {
  const file = input.files?.[0]
  if (!file) return
  const path = `/v1/media?unitId=${form.dataset.unit}`
  const headers = { 'content-type': file.type }
  const answer = await fetch(path, { method: 'POST', headers, body: file }).catch(() => null)
  const field = /** @type {HTMLInputElement} */ (elementOf(input.dataset.for ?? ''))
  if (answer?.ok) field.value = (await answer.json()).url
  else say('refused')
}

/**
 * Posts the form as a press of a button does. Returns the page that answers, null if there was none. After `save`, what it
 * says beside the fields is true, and the fields are not.
 * @param {string} act
 */
async function send(act, text = formText(), over = version.value) {
  say('saving')
  const body = new URLSearchParams(text)
  body.set('version', over)
  body.set('act', act)
  const answer = await fetch(form.action, { method: 'POST', body, cache: 'no-store' }).catch(() => null)
  const html = answer?.ok || answer?.status === 409 ? await answer.text().catch(() => '') : ''
  const page = new DOMParser().parseFromString(html, 'text/html')
  if (answer === null || page.getElementById('compose') === null) {
    if (text === formText()) keep()
    say(answer?.status === 401 ? 'over' : 'failed')
    return null
  }
  stale = answer.status === 409
  if (!stale) {
    saved = text
    if (formText() === text) forget()
  }
  show(page)
  return page
}

/** @param {string} what */
function say(what) {
  state.textContent = state.dataset[what] ?? ''
}

/** What the answer says beside the fields. No field is replaced, since somebody may be writing in it. @param {Document} page */
function show(page) {
  version.value = page.querySelector('#compose [name=version]')?.getAttribute('value') ?? version.value
  for (const region of document.querySelectorAll('[data-live]')) {
    const fresh = elementOf(region.id, page)
    if (fresh.innerHTML !== region.innerHTML) replaceIn(region, fresh)
  }
  for (const note of document.querySelectorAll('#fields .wrong')) showNote(note, page)
}

/** @param {Element} note @param {Document} page */
function showNote(note, page) {
  const fresh = page.getElementById(note.id)
  if (fresh === null || fresh.outerHTML === note.outerHTML) return
  note.replaceWith(fresh.cloneNode(true))
  const id = note.id.replace(/-wrong$/, '')
  const [mine, theirs] = [document.getElementById(id), page.getElementById(id)]
  for (const name of ['aria-invalid', 'aria-describedby']) {
    const value = theirs?.getAttribute(name) ?? null
    if (value === null) mine?.removeAttribute(name)
    else mine?.setAttribute(name, value)
  }
}

/** Shows something anew. What was unfolded stays so. @param {Element} region @param {Element} fresh */
function replaceIn(region, fresh) {
  const unfolded = [...region.querySelectorAll('details[open]')].map(labelOf)
  region.replaceChildren(...fresh.cloneNode(true).childNodes)
  for (const one of region.querySelectorAll('details')) if (unfolded.includes(labelOf(one))) one.open = true
}

/** What is unfolded by, without how much is chosen there. @param {Element} details */
function labelOf(details) {
  return details.firstElementChild?.firstChild?.textContent
}

/** Shows all fields anew. @param {Document} page */
function redraw(page) {
  const focused = document.activeElement?.id
  replaceIn(elementOf('fields'), elementOf('fields', page))
  offerUploads()
  if (!stale) saved = formText()
  if (focused) document.getElementById(focused)?.focus()
}

/**
 * A press that changes the form is answered in place; what leaves the page does so once everything is saved.
 * @param {SubmitEvent} event
 */
async function press(event) {
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter)
  const act = submitter?.value ?? 'check'
  const leaves = act === 'submit' || act === 'test'
  if (leaves && formText() === saved && !stale) return
  event.preventDefault()
  if (leaves) {
    await save()
    // The answer may have changed what the button says: then it is read again before it is pressed.
    if (formText() === saved && submitter?.isConnected) form.requestSubmit(submitter)
    return
  }
  const before = new Set(inputs().map(({ name }) => name))
  const page = await inLine(() => send(act))
  if (page === null || stale) return
  redraw(page)
  if (act === 'check') return elementOf('check').scrollIntoView({ block: 'nearest' })
  // A new part is where people go on.
  const fresh = inputs().find(({ name, type }) => name && type !== 'hidden' && !before.has(name))
  fresh?.focus()
}

function inputs() {
  return /** @type {HTMLInputElement[]} */ ([...form.elements])
}
