import { afterAll, beforeAll, beforeEach } from 'vitest'

/** What a test opens, and how it is closed: the first of these that it has. */
type Opened = object & { [end in (typeof ends)[number]]?: () => Promise<unknown> }

const ends = ['close', 'drop', 'stop'] as const

/**
 * Opens what the tests of a file, or of a group, share, and closes it after the last of them: what was opened last is
 * closed first. Its members are there once the hooks that stand behind it run.
 */
export function forFile<T extends Opened>(open: () => T | Promise<T>): T {
  const shared = {} as T
  beforeAll(async () => fill(shared, await open()))
  afterAll(async () => {
    const end = ends.find((name) => shared[name])
    if (end) await shared[end]!()
  })
  return shared
}

/** The same for each single test, for what needs no closing. */
export function forEachTest<T extends object>(open: () => T | Promise<T>): T {
  const shared = {} as T
  beforeEach(async () => fill(shared, await open()))
  return shared
}

/** Takes getters over as they are: they tell what is true when they are read. */
function fill(shared: object, opened: object): void {
  Object.defineProperties(shared, Object.getOwnPropertyDescriptors(opened))
}
