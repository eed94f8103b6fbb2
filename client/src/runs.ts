import { move } from './move.ts'
import type { Send } from './transport.ts'
import type { CancelledRun, ScenarioRunDetail } from './types.ts'

/** Runs of scenarios, each with one person. `scenarios.runs` lists them. */
export class Runs {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Where it went, what it said and what became of it; with whom and what they said, for those who may read it. */
  get(id: string): Promise<ScenarioRunDetail> {
    return this.#send('GET', pathOf(id))
  }

  /** Ends it. What has not been said is not said, and nobody is told. */
  cancel(id: string): Promise<CancelledRun> {
    const answer = (): CancelledRun => ({ id, state: 'cancelled' })
    return move(this.#send, `${pathOf(id)}/cancel`, { to: ['cancelled'], answer })
  }
}

function pathOf(id: string): string {
  return `/v1/runs/${encodeURIComponent(id)}`
}
