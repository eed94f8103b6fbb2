// Reloads the list while the page is open, and searches while typing.
const list = document.getElementById('list')
const search = document.querySelector('#search input')
const shown = new URLSearchParams(location.search).get('mail') ?? ''

async function refresh() {
  const query = new URLSearchParams({ to: search.value, mail: shown })
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
