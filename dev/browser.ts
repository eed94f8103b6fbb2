import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'

const chromiumHere = await findChromium()

/** The browser of this machine; undefined if there is none: tests that need it are then skipped. */
export const browserPath: string | undefined = 'path' in chromiumHere ? chromiumHere.path : undefined

/** How long a page may take for one step: ten times what Playwright allows, for a busy machine. */
const STEP_TIMEOUT_MS = 300_000

/** Starts the browser without a window. The caller closes it. */
export async function startBrowser(): Promise<Browser> {
  // Chromium's own sandbox does not start for root, as in containers.
  const args = ['--no-sandbox', '--disable-dev-shm-usage']
  const browser = await chromium.launch({
    executablePath: browserPath!,
    args,
    timeout: STEP_TIMEOUT_MS,
  })
  browser.on('context', (context) => context.setDefaultTimeout(STEP_TIMEOUT_MS))
  return browser
}
