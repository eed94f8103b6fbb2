/** Updates the two phones and the list of recipients, and shows the chosen recipient on a phone. */
const pollMs = 1_500
const phones = [...document.querySelectorAll('.phone')]
const recent = document.querySelector('#recent')
const search = document.querySelector('#search input')
const { silent, refused, unknown } = document.body.dataset

for (const phone of phones) {
  tidy(phone)
  toEnd(phone)
  owner(phone).addEventListener('change', () => show(phone, owner(phone).value.trim()))
  phone.addEventListener('click', ({ target }) => press(phone, target))
  phone.querySelector('.compose').addEventListener('submit', (event) => {
    event.preventDefault()
    const field = event.target.elements.text
    const text = field.value.trim()
    field.value = ''
    if (text) act(phone, { kind: 'say', text })
  })
}

recent.addEventListener('click', async ({ target }) => {
  const person = target.closest('.person')
  if (!person) return
  const phone = phoneFor(person)
  await show(phone, person.dataset.id)
  phone.scrollIntoView({ behavior: 'smooth', block: 'nearest' })
})

let typing
search.addEventListener('input', () => {
  clearTimeout(typing)
  typing = setTimeout(() => refreshPeople().catch(() => {}), 150)
})

// A picture that fails to load stays hidden over its placeholder. Load events do not bubble, so this captures them.
document.addEventListener('load', ({ target }) => target.matches?.('.picture img') && reveal(target), true)

mark()
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, pollMs))
  if (!document.hidden) await Promise.all([refreshPeople(), ...phones.map(refresh)]).catch(() => {})
}

async function refreshPeople() {
  const answer = await fetch(`/recent?${new URLSearchParams({ q: search.value })}`)
  if (!answer.ok) return
  const list = await answer.text()
  if (recent.dataset.list === list) return
  recent.dataset.list = list
  recent.innerHTML = list
  for (const phone of phones) {
    const person = recent.querySelector(`[data-locale="${phone.dataset.locale}"]`)
    if (person && !owner(phone).value) await show(phone, person.dataset.id)
  }
  mark()
}

async function show(phone, id) {
  owner(phone).value = id
  showName(phone, id)
  phone.dataset.next = ''
  phone.querySelector('.chat').replaceChildren()
  const query = new URLSearchParams(location.search)
  query.set(phone.dataset.side, id)
  history.replaceState(null, '', `?${query}`)
  mark()
  await refresh(phone)
}

async function showName(phone, id) {
  const answer = await fetch(`/phones/${encodeURIComponent(id)}/owner`)
  const { name } = answer.ok ? await answer.json() : {}
  if (owner(phone).value === id) phone.querySelector('.owner__name').textContent = name ?? unknown
}

async function refresh(phone) {
  const id = owner(phone).value
  if (!id) return
  const since = phone.dataset.next
  const answer = await fetch(`/phones/${encodeURIComponent(id)}?since=${since}`)
  if (!answer.ok) return
  const { markup, next, blocked } = await answer.json()
  if (owner(phone).value !== id || phone.dataset.next !== since || next === since) return
  phone.dataset.next = next
  phone.classList.toggle('phone--blocked', blocked)
  if (!markup) return
  phone.querySelector('.chat').insertAdjacentHTML('beforeend', markup)
  tidy(phone)
  toEnd(phone)
}

/** Handles a button of a message, an option, or the block and follow button. */
function press(phone, target) {
  const { tap, say, act: kind } = target.closest('[data-tap], [data-act]')?.dataset ?? {}
  if (kind) return act(phone, { kind })
  if (tap) return act(phone, { kind: 'tap', data: tap, ...(say && { displayText: say }) })
}

/** Posts an action to the simulator, which posts it to the webhook; shows a note if the webhook did not accept it. */
async function act(phone, what) {
  const id = owner(phone).value
  if (!id) return
  const answer = await fetch(`/phones/${encodeURIComponent(id)}/actions`, {
    method: 'POST',
    body: JSON.stringify(what),
  })
  const { status = null } = answer.ok ? await answer.json() : {}
  await refresh(phone)
  if (status !== 200) complain(phone, status)
}

function complain(phone, status) {
  const note = document.createElement('p')
  note.className = 'note note--bad'
  note.textContent = status ? `${refused} ${status}` : silent
  phone.querySelector('.chat').append(note)
  toEnd(phone)
}

function reveal(image) {
  image.classList.add('loaded')
}

/** Shows each day once, and options only under the last message, as on a real phone. */
function tidy(phone) {
  const days = [...phone.querySelectorAll('.day')]
  days.forEach((day, index) => {
    day.hidden = index > 0 && days[index - 1].textContent === day.textContent
  })
  for (const image of phone.querySelectorAll('.picture img'))
    if (image.complete && image.naturalWidth > 0) reveal(image)
  for (const options of phone.querySelectorAll('.call:has(~ .call, ~ .own) .quick')) options.remove()
}

function toEnd(phone) {
  const chat = phone.querySelector('.chat')
  chat.scrollTop = chat.scrollHeight
  phone.querySelector('.clock').textContent = new Date().toTimeString().slice(0, 5)
}

function mark() {
  for (const person of recent.querySelectorAll('.person'))
    person.classList.toggle(
      'person--shown',
      phones.some((phone) => owner(phone).value === person.dataset.id),
    )
}

function phoneFor(person) {
  return phones.find((phone) => phone.dataset.locale === person.dataset.locale)
}

function owner(phone) {
  return phone.querySelector('input')
}
