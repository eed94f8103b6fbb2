// Fetches a page again while something on it moves and somebody looks at it, and shows the regions that are new.
const everyMs = 2_000
const timer = setInterval(refresh, everyMs)
let tag = null

async function refresh() {
  if (document.hidden) return
  const headers = tag === null ? {} : { 'if-none-match': tag }
  const answer = await fetch(location.href, { headers, cache: 'no-store' }).catch(() => null)
  // Over, or for a moment not there: what is shown stays, with its link to refresh.
  if (answer?.redirected) clearInterval(timer)
  if (answer?.status !== 200 || answer.redirected) return
  tag = answer.headers.get('etag')
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const shown of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(shown.id)
    if (fresh === null || shown.contains(document.activeElement)) continue
    if (fresh.innerHTML !== shown.innerHTML) shown.replaceChildren(...fresh.childNodes)
  }
  if (page.querySelector('[data-moving]') === null) clearInterval(timer)
}
