// Uploads pictures: a large one is made smaller first, and what happens to each is said at its own field
// (docs/design/console.md).
import { elementOf, fieldOf, formIn, readingOf, textOf } from './fields.js'
import { namesIn } from './merge.js'

/**
 * The picture that was chosen for a field. `says`: which of the words is shown; `sent`: how much of it is, from 0 to 1.
 * @typedef {{ file: File, says: string, sent: number }} Upload
 */

/** The longest side, and the quality of a JPEG. */
const [sideMax, quality] = [2_048, 0.85]
/** Why nothing was uploaded, where trying the same again may help. */
const passing = /^(offline|failed|rate_limited|unauthenticated)$/
/** What an answer says by its status alone. @type {Record<number, string>} */
const byStatus = { 0: 'offline', 201: 'uploaded', 401: 'unauthenticated', 413: 'payload_too_large' }

const form = formIn()
const words = elementOf('pictures').dataset
/** By the names of their fields, with keys. @type {Map<string, Upload>} */
const uploads = new Map()

form.addEventListener('change', choose)
form.addEventListener('click', retry)
form.addEventListener('input', ({ target }) => {
  // Who writes an address has done with the file.
  uploads.delete(keyed(/** @type {HTMLInputElement} */ (target).name))
  showUploads()
})
showUploads()

/** @param {string} [name] */
function keyed(name = '') {
  return namesIn(readingOf(textOf(form))).keyed(name)
}

/** The name of the file does not stay as if it were accepted. @param {Event} event */
function choose({ target }) {
  const input = /** @type {HTMLInputElement} */ (target)
  const file = input.files?.[0]
  if (!file) return
  input.value = ''
  upload(keyed(input.dataset.for), file)
}

/** @param {Event} event */
function retry({ target }) {
  const button = target instanceof HTMLButtonElement ? target : null
  const name = keyed(button?.dataset.for)
  const one = uploads.get(name)
  if (!one) return
  // The button goes.
  button?.parentElement?.querySelector('input')?.focus()
  upload(name, one.file)
}

/** Uploads a picture, and writes where it is into its field. @param {string} name @param {File} file */
async function upload(name, file) {
  /** @type {Upload} */
  const one = { file, says: 'uploading', sent: 0 }
  uploads.set(name, one)
  showUploads()
  const picture = await smaller(file).catch(() => null)
  const answer = picture && (await send(picture, one))
  if (uploads.get(name) !== one) return
  one.says = answer ? saidBy(answer) : unreadable(file)
  if (one.says === 'uploaded') fill(name, answer?.response.url)
  uploads.set(name, one)
  showUploads()
}

/**
 * The file as it is, if it is small; else drawn again, as PNG where one can see through it. GIFs would lose their movement.
 * @param {File} file @returns {Promise<Blob | null>}
 */
async function smaller(file) {
  if (file.type === 'image/gif') return file
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, sideMax / Math.max(bitmap.width, bitmap.height))
  const isTaken = words.types?.split(',').includes(file.type) && file.size <= Number(words.bytes)
  if (scale === 1 && isTaken) return file
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)))
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const type = isOpaque(context) ? 'image/jpeg' : 'image/png'
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality))
}

/** @param {CanvasRenderingContext2D} context */
function isOpaque(context) {
  const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height)
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

/** Which words are for a file that the browser cannot read. @param {File} file */
function unreadable({ type, name }) {
  const [kind] = /hei[cf]|svg/.exec(`${type} ${name.split('.').at(-1)}`.toLowerCase()) ?? []
  return kind === 'svg' ? 'svg' : kind ? 'heic' : 'unreadable'
}

/** @param {Blob} picture @param {Upload} one @returns {Promise<XMLHttpRequest>} */
function send(picture, one) {
  const request = new XMLHttpRequest()
  request.open('POST', `/v1/media?unitId=${form.dataset.unit}`)
  request.responseType = 'json'
  request.setRequestHeader('content-type', picture.type)
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    one.sent = loaded / total
    showUploads()
  })
  return new Promise((resolve) => {
    request.addEventListener('loadend', () => resolve(request))
    request.send(picture)
  })
}

/** Which words are for an answer: of the rule that is broken, or of the code. @param {XMLHttpRequest} request */
function saidBy({ status, response }) {
  const { code, details } = response?.error ?? {}
  const known = [details?.issues?.[0]?.rule, code].find((one) => words[one] !== undefined)
  return byStatus[status] ?? known ?? 'failed'
}

/** A field that is gone is left alone. @param {string} name @param {string} url */
function fill(name, url) {
  const numbered = namesIn(readingOf(textOf(form))).numbered(name)
  const field = numbered === null ? null : fieldOf(form, numbered)
  if (!field) return
  field.value = url
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Shows at each field its picture, and what happens to the one that was chosen. */
export function showUploads() {
  const { keyed: keyedOf } = namesIn(readingOf(textOf(form)))
  for (const region of form.querySelectorAll('.upload')) {
    const { for: name = '' } = /** @type {HTMLElement} */ (region).dataset
    showPicture(/** @type {HTMLImageElement} */ (region.querySelector('img')), fieldOf(form, name).value)
    showState(region, uploads.get(keyedOf(name)))
  }
}

/** Pictures of other hosts are not loaded: they would learn who writes. @param {HTMLImageElement} image @param {string} url */
function showPicture(image, url) {
  const { from = '', path } = words
  const isOwn = from !== '' && url.startsWith(from)
  const src = isOwn ? `${path}${url.slice(from.length).replace(/(\.\w+)$/, '-preview$1')}` : ''
  if ((image.getAttribute('src') ?? '') !== src) image.setAttribute('src', src)
  image.hidden = !isOwn
}

/** @param {Element} region @param {Upload} [one] */
function showState(region, { says, sent } = { file: new File([], ''), says: '', sent: 0 }) {
  const [progress, button] = [region.querySelector('progress'), region.querySelector('button')]
  const isGood = says === 'uploading' || says === 'uploaded'
  for (const [selector, text] of [
    ['.quiet', isGood ? words[says] : ''],
    ['.wrong', isGood ? '' : words[says]],
  ]) {
    const place = region.querySelector(selector ?? '')
    if (place && place.textContent !== (text ?? '')) place.textContent = text ?? ''
  }
  if (button) button.hidden = !passing.test(says)
  if (!progress) return
  progress.hidden = says !== 'uploading'
  // All of it is sent, and the server draws it.
  if (sent < 1) progress.value = sent
  else progress.removeAttribute('value')
}
