// Fetches a page again while something on it moves and somebody looks at it, and shows the regions that are new.
const everyMs = 2_000
const timer = setInterval(refresh, everyMs)
/** @type {string | null} */
let tag = null
let missed = 0

async function refresh() {
  if (document.hidden) return
  /** @type {RequestInit} */
  const request = {
    headers: tag === null ? {} : { 'if-none-match': tag },
    cache: 'no-store',
    redirect: 'manual',
  }
  const answer = await fetch(location.href, request).catch(() => null)
  const ok = answer?.status === 200 || answer?.status === 304
  missed = ok ? 0 : missed + 1
  // What is shown stays; once it may be old, or the session is over, the page says so.
  const over = answer?.type === 'opaqueredirect'
  document.getElementById('late')?.toggleAttribute('hidden', missed < 2 && !over)
  if (over) clearInterval(timer)
  if (answer?.status !== 200) return
  tag = answer.headers.get('etag')
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const region of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(region.id)
    if (fresh === null || region.contains(document.activeElement)) continue
    if (fresh.innerHTML !== region.innerHTML) region.replaceChildren(...fresh.childNodes)
  }
  if (page.querySelector('[data-moving]') === null) clearInterval(timer)
}
