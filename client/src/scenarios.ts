import { idempotent } from './idempotent.ts'
import { type Listing, listing } from './listing.ts'
import { move } from './move.ts'
import type { Send } from './transport.ts'
import type {
  ApproveScenario,
  CancelledRuns,
  CancelRuns,
  CreateScenario,
  PageQuery,
  PutScenario,
  RejectScenario,
  RunSummary,
  RunSummaryQuery,
  Scenario,
  ScenarioAnswerPage,
  ScenarioAnswerQuery,
  ScenarioListQuery,
  ScenarioPage,
  ScenarioRunPage,
  ScenarioRunQuery,
  ScenarioVersionPage,
  SimulateContent,
  SimulateScenario,
  Simulation,
  StartedRuns,
  StartRuns,
  StartTestRun,
  TestRun,
  WithdrawScenario,
} from './types.ts'

/** Scenarios of the caller's unit: conversations of several steps, their versions, and their runs. */
export class Scenarios {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first, each with its newest content; `fields: 'summary'` leaves that out. */
  list(query: ScenarioListQuery = {}): Listing<ScenarioPage> {
    return listing(this.#send, '/v1/scenarios', query)
  }

  /** Saves a draft. 400 dag_invalid names all problems of its graph at once. */
  create(body: CreateScenario): Promise<Scenario> {
    return this.#send('POST', '/v1/scenarios', { body })
  }

  /** Its newest version; `inForce` is the one that new runs follow. */
  get(id: string): Promise<Scenario> {
    return this.#send('GET', pathOf(id))
  }

  /**
   * Changes its content, or its state: activates, pauses or retires it. With `ifMatch`, only if that is its newest version.
   *
   * @example
   * const { state, reason } = await carillon.scenarios.update(id, { state: 'active' })
   * if (state === 'submitted') console.log(`Waits for a person: ${reason}`)
   */
  update(
    id: string,
    body: PutScenario,
    { ifMatch }: { ifMatch?: number | undefined } = {},
  ): Promise<Scenario> {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }
    return this.#send('PUT', pathOf(id), { body, headers })
  }

  /** Its versions, newest first. */
  versions(id: string, query: PageQuery = {}): Listing<ScenarioVersionPage> {
    return listing(this.#send, `${pathOf(id)}/versions`, query)
  }

  /** Approves the version that waits, with the session of an approver who wrote no part of it. */
  approve(id: string, body: ApproveScenario): Promise<Scenario> {
    const answer = () => this.get(id)
    return move(this.#send, `${pathOf(id)}/approve`, { body, to: ['in_force'], answer })
  }

  /** Rejects the version that waits, with an approver's session. */
  reject(id: string, body: RejectScenario): Promise<Scenario> {
    const answer = () => this.get(id)
    return move(this.#send, `${pathOf(id)}/reject`, { body, to: ['rejected'], answer })
  }

  /** Takes back the version that waits, to change it. The one in force stays. */
  withdraw(id: string, body: WithdrawScenario): Promise<Scenario> {
    const answer = () => this.get(id)
    return move(this.#send, `${pathOf(id)}/withdraw`, { body, to: ['withdrawn'], answer })
  }

  /** The way of a run through a stored scenario, with the answers given in advance. Sends and stores nothing. */
  simulate(id: string, body: SimulateScenario = {}): Promise<Simulation> {
    return this.#send('POST', `${pathOf(id)}/simulate`, { body, repeatable: true })
  }

  /** The same for a scenario that is not stored. */
  simulateContent(body: SimulateContent): Promise<Simulation> {
    return this.#send('POST', '/v1/scenarios/simulate', { body, repeatable: true })
  }

  /**
   * Starts a run with each person; who has an open one keeps it. Repeated with the same key, it starts none and answers the
   * same.
   *
   * @example
   * const { started, unknownUids } = await carillon.scenarios.start(id, { subjectUids: ['b10902042'] })
   */
  start(
    id: string,
    body: StartRuns,
    options: { idempotencyKey?: string | undefined } = {},
  ): Promise<StartedRuns> {
    return this.#send('POST', `${pathOf(id)}/runs`, { body, headers: idempotent(options) })
  }

  /** Starts a test of the newest version with the person whose session calls. */
  testRun(id: string, body: StartTestRun = {}): Promise<TestRun> {
    return this.#send('POST', `${pathOf(id)}/test-run`, { body })
  }

  /** Its runs in all states, newest first; with whom, for those who may read it. */
  runs(id: string, query: ScenarioRunQuery = {}): Listing<ScenarioRunPage> {
    return listing(this.#send, `${pathOf(id)}/runs`, query)
  }

  /** How many runs are at each node, have entered it, and have left it by each edge. */
  runSummary(id: string, query: RunSummaryQuery = {}): Promise<RunSummary> {
    return this.#send('GET', `${pathOf(id)}/runs/summary`, { query })
  }

  /** Who answered what. With a key that has individual targeting, or an approver's session. */
  answers(id: string, query: ScenarioAnswerQuery = {}): Listing<ScenarioAnswerPage> {
    return listing(this.#send, `${pathOf(id)}/answers`, query)
  }

  /** Ends its open runs, or those of a version or at a node. Pause it first to end all. */
  cancelRuns(id: string, body: CancelRuns = {}): Promise<CancelledRuns> {
    return this.#send('POST', `${pathOf(id)}/runs/cancel`, { body })
  }
}

function pathOf(id: string): string {
  return `/v1/scenarios/${encodeURIComponent(id)}`
}
