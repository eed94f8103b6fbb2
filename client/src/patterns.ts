import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type {
  CreatedPattern,
  CreatePattern,
  CreatePatternVersion,
  NamedOrganisers,
  NameOrganisers,
  PatchPattern,
  Pattern,
  PatternAnswersPage,
  PatternAnswersQuery,
  PatternListQuery,
  PatternPage,
  PatternReport,
} from './types.ts'

/** Registrations, surveys and rsvps of the caller's unit, each of which generates a scenario. */
export class Patterns {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first, each in its current state. */
  list(query: PatternListQuery = {}): Listing<PatternPage> {
    return listing(this.#send, '/v1/patterns', query)
  }

  /**
   * Generates the scenario as a draft: activate it, then invite people by a message with a button that leads into it.
   *
   * @example
   * const { id, scenarioId } = await carillon.patterns.create({
   *   type: 'rsvp',
   *   name: 'Welcome tea 2030',
   *   categoryId: 'campus-events',
   *   title: { 'zh-TW': '迎新茶會', en: 'Welcome tea' },
   *   deadline: '2030-09-01T18:00:00+08:00',
   * })
   * await carillon.scenarios.update(scenarioId, { state: 'active' })
   */
  create(body: CreatePattern): Promise<CreatedPattern> {
    return this.#send('POST', '/v1/patterns', { body })
  }

  /** What it asks, until when, and how many places are left now. */
  get(id: string): Promise<Pattern> {
    return this.#send('GET', pathOf(id))
  }

  /** Moves its deadline, or adds places. */
  update(id: string, body: PatchPattern): Promise<Pattern> {
    return this.#send('PATCH', pathOf(id), { body, repeatable: true })
  }

  /**
   * Changes it as a new version, a draft that `scenarios.update` activates; what is in force stays until then. With `ifMatch`,
   * only if that is its newest version.
   */
  createVersion(
    id: string,
    body: CreatePatternVersion,
    { ifMatch }: { ifMatch?: number } = {},
  ): Promise<Pattern> {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }
    return this.#send('POST', `${pathOf(id)}/versions`, { body, headers })
  }

  /** Its counts. */
  report(id: string): Promise<PatternReport> {
    return this.#send('GET', `${pathOf(id)}/report`)
  }

  /**
   * Who answered what, and has a place: in the order of their requests, then the others. With individual targeting, or a
   * session of an approver, of who submitted it or of an organiser.
   */
  answers(id: string, query: PatternAnswersQuery = {}): Listing<PatternAnswersPage> {
    return listing(this.#send, `${pathOf(id)}/answers`, query)
  }

  /** Who of the unit may read the answers. With an approver's session. */
  nameOrganisers(id: string, body: NameOrganisers): Promise<NamedOrganisers> {
    return this.#send('PUT', `${pathOf(id)}/organisers`, { body, repeatable: true })
  }
}

function pathOf(id: string): string {
  return `/v1/patterns/${encodeURIComponent(id)}`
}
