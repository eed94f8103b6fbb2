import type { Outcome } from '../../../src/domain/outcome.ts'

export type Tried = { to: string[]; retryKey: string; accepted: boolean }

type Answer = Outcome | ((to: string[]) => Outcome | undefined)

/** How a try may end other than well; `told` says whether the provider acted on it. */
const cut: Outcome = { kind: 'unavailable', code: 'cut', certain: false }

/**
 * A provider in this process: acts on a retry key once, and keeps a journal of what it acted on. `next` decides the
 * coming tries, one each; `cutNext` acts on so many keys and lets nobody hear of it.
 */
export function provider() {
  const journal: Tried[] = []
  const tries: Tried[] = []
  const keys = new Set<string>()
  const answers: Answer[] = []
  let cuts = 0
  let delayMs = 0
  return {
    journal,
    tries,
    next: (...more: Answer[]) => void answers.push(...more),
    always(answer: Answer, times: number) {
      for (let n = 0; n < times; n++) answers.push(answer)
    },
    /** Nothing is refused any more. */
    recover: () => void answers.splice(0),
    cutNext: (times: number) => {
      cuts = times
    },
    delay: (ms: number) => {
      delayMs = ms
    },
    /** Refuses a call, naming these; one that it has accepted before stays accepted. */
    async refuse({ retryKey }: { retryKey: string }, failed: string[]): Promise<Outcome> {
      if (keys.has(retryKey)) return { kind: 'accepted' }
      return { kind: 'refused', code: 'rejected', failed }
    },
    async send({ to, retryKey }: { to: string[]; retryKey: string }): Promise<Outcome> {
      const tried = { to, retryKey, accepted: false }
      tries.push(tried)
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
      const answer = answers.shift()
      const other = typeof answer === 'function' ? answer(to) : answer
      if (other) return other
      if (!keys.has(retryKey)) {
        keys.add(retryKey)
        tried.accepted = true
        journal.push(tried)
        if (cuts-- > 0) return cut
      }
      return { kind: 'accepted', requestId: `request-${journal.length}` }
    },
  }
}

export type Provider = ReturnType<typeof provider>
