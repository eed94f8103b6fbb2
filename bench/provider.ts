import { setTimeout as sleep } from 'node:timers/promises'
import type { JournalItem } from '../dev/simulator/journal.ts'
import type { BenchInstallation } from './installation.ts'
import { progress } from './progress.ts'

const lookEveryMs = 100
const timeoutMs = 15 * 60_000
/** How closely one person is watched, and for how long at most (ms). */
const watchEveryMs = 5
const reachTimeoutMs = 2 * 60_000

/** Follows what the chat provider accepts. */
export type ProviderFollower = {
  /** Passes over what it has accepted so far. */
  skip(): Promise<void>
  /** Waits until it has accepted `count` more calls, and returns them. */
  accepts(what: string, count: number): Promise<JournalItem[]>
}

/** Watches for what the provider accepts for one person. */
export type ProviderWatch = {
  /** Waits until it has accepted a request to this address alone, after something happens. */
  reaches(address: string, happens: () => Promise<void>): Promise<JournalItem>
}

/** Watches the journal of the chat simulator closely. */
export function watchProvider({ environment }: BenchInstallation): ProviderWatch {
  let since = 0
  const journal = async () => {
    const answer = await fetch(`${environment.addresses.simulator}/journal?since=${since}`)
    const { items, next } = (await answer.json()) as { items: JournalItem[]; next: number }
    since = next
    return items
  }
  return {
    async reaches(address, happens) {
      while ((await journal()).length > 0); // what others were sent before
      await happens()
      const deadline = Date.now() + reachTimeoutMs
      for (;;) {
        const items = await journal()
        const reached = items.find(({ status, to }) => status === 200 && to.length === 1 && to[0] === address)
        if (reached) return reached
        if (Date.now() > deadline) throw new Error('A person was not reached within two minutes.')
        await sleep(watchEveryMs)
      }
    },
  }
}

/** Follows the journal of the chat simulator. */
export function followProvider({ environment }: BenchInstallation): ProviderFollower {
  let since = 0
  const read = async (): Promise<JournalItem[]> => {
    const items: JournalItem[] = []
    for (;;) {
      const answer = await fetch(`${environment.addresses.simulator}/journal?since=${since}`)
      const page = (await answer.json()) as { items: JournalItem[]; next: number }
      if (page.items.length === 0) return items
      items.push(...page.items.filter(({ status }) => status === 200))
      since = page.next
    }
  }
  return {
    skip: async () => void (await read()),
    async accepts(what, count) {
      const accepted: JournalItem[] = []
      const bar = progress(what, count)
      const deadline = Date.now() + timeoutMs
      for (;;) {
        accepted.push(...(await read()))
        bar.to(accepted.length)
        if (accepted.length >= count) break
        if (Date.now() > deadline)
          throw new Error(`${what}: only ${accepted.length} of ${count} were accepted within 15 min.`)
        await sleep(lookEveryMs)
      }
      bar.end()
      return accepted
    },
  }
}
