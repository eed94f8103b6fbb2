// Reloads the list while the page is open, and searches while typing.
const list = document.getElementById('list')
const search = document.querySelector('#search input')
const address = new URLSearchParams(location.search)
const openMail = document.querySelector('.entry--shown')?.dataset.seq ?? address.get('mail') ?? ''

async function refresh() {
  // What is typed is looked for among all mails; an older page stays until then.
  const before = search.value === (address.get('to') ?? '') ? (address.get('before') ?? '') : ''
  const query = new URLSearchParams({ to: search.value, mail: openMail, before })
  const response = await fetch(`/mails?${query}`).catch(() => null)
  if (!response?.ok) return
  const markup = await response.text()
  if (list.dataset.markup === markup) return
  list.dataset.markup = markup
  list.innerHTML = markup
}

let typing
search.addEventListener('input', () => {
  clearTimeout(typing)
  typing = setTimeout(refresh, 150)
})
setInterval(() => document.hidden || refresh(), 2_000)
