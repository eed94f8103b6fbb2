import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Api, Installation } from './installation.ts'
import type { Crowd } from './people.ts'
import type { Answer, PlannedMessage } from './producer.ts'

const callers = 6

/** Callers at work, and every response they received. */
export type Load = { answers: readonly Answer[]; stop(): Promise<void> }

/** Creates, submits and approves messages until stopped, and pauses on request. */
export function startLoad(installation: Installation, api: Api, crowd: Crowd): Load {
  const answers: Answer[] = []
  let over = false
  const caller = async () => {
    while (!over) {
      const message = installation.plan(crowd)
      for (const verb of ['create', 'submit', 'approve'] as const) {
        const answer = await api[verb](message)
        answers.push(answer)
        if (answer.status === 503) await sleep(Number(answer.retryAfter) * 1_000)
        if (answer.status !== 200 && answer.status !== 201) break
      }
    }
  }
  const done = Promise.all(Array.from({ length: callers }, caller))
  return {
    answers,
    async stop() {
      over = true
      await done
    },
  }
}

/** What a producer does whose calls were answered 503: the same again. */
export async function finish(api: Api, message: PlannedMessage): Promise<void> {
  expect([200, 201]).toContain((await api.patient.create(message)).status)
  for (const verb of ['submit', 'approve'] as const) {
    const { status, body } = await api.patient[verb](message)
    if (status !== 200) expect(body.error.code).toBe('invalid_transition') // the first call was carried out
  }
}
