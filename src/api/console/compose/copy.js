// Where a browser keeps what is written and not saved. Two tabs that write the same have a place each: a lock says in which
// of them somebody writes now.
const waitMs = 3_000

/**
 * The place of this tab: the one that it had before it was loaded again, one that no tab has any more, or a new one.
 * @param {string} prefix what the names of all places begin with
 */
export async function findCopy(prefix) {
  // A page that the browser has put aside, and shows as it was, has no place any more.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  const own = sessionStorage.getItem(prefix)
  const kept = Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  const places = kept.sort((one, other) => Number(other === own) - Number(one === own))
  for (const place of places) if (await isFree(place, place === own ? waitMs : 0)) return noted(prefix, place)
  const place = prefix + Math.random().toString(36).slice(2)
  isFree(place, 0)
  return noted(prefix, place)
}

/** @param {string} prefix @param {string} place */
function noted(prefix, place) {
  sessionStorage.setItem(prefix, place)
  return place
}

/**
 * Takes a place until the page is left; false: another tab has it. On a busy machine a page that was loaded again may have
 * it for a moment still.
 * @param {string} place @param {number} most milliseconds to wait
 * @returns {Promise<boolean>}
 */
function isFree(place, most) {
  // Without a secure connection there are no locks: then all tabs have one place.
  if (!navigator.locks) return Promise.resolve(true)
  const options = most > 0 ? { signal: AbortSignal.timeout(most) } : { ifAvailable: true }
  return new Promise((resolve) => {
    const held = navigator.locks.request(place, options, (lock) => {
      resolve(lock !== null)
      return lock && new Promise((release) => addEventListener('pagehide', release, { once: true }))
    })
    held.catch(() => resolve(false))
  })
}
