import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The names of a Chromium that an operating system's packages install. */
const names = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser on this machine's PATH; undefined if there is none: tests that need it are then skipped. */
export const browserPath: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find(isExecutable)

/** Starts the browser without a window. The caller closes it. */
export function startBrowser(): Promise<Browser> {
  // Chromium's own sandbox does not start for root, as in containers.
  return chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
