import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type {
  BindAddress,
  Consent,
  ErasedSubject,
  FoundSubject,
  GrantConsent,
  PageQuery,
  ResolvedSubjects,
  RevokedConsent,
  Subject,
  SubjectDeliveryPage,
  SubjectExport,
  SubjectTurnPage,
  UpdateSubject,
} from './types.ts'

/**
 * Subjects: their addresses, attributes and consents. Requires a key of an administrative unit, except for `get` and
 * `resolve`.
 * A subject is identified by your uid or by the service's subject id.
 */
export class Subjects {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Binds an address that the subject has proved to own; an unknown uid creates a visitor.
   *
   * @example
   * const { subjectId } = await carillon.subjects.bind('b10902042', 'email', { address: 'mei@example.edu' })
   */
  bind(uid: string, channel: 'chat' | 'email', body: BindAddress): Promise<{ subjectId: string }> {
    return this.#send('PUT', `${pathOf(uid)}/addresses/${channel}`, { body, repeatable: true })
  }

  /** No further message is sent to the address. */
  unbind(uid: string, channel: 'chat' | 'email'): Promise<{ subjectId: string }> {
    return this.#send('DELETE', `${pathOf(uid)}/addresses/${channel}`, { repeatable: true })
  }

  /** Records a consent, which takes effect at once. */
  grantConsent(uid: string, body: GrantConsent): Promise<Consent> {
    return this.#send('POST', `${pathOf(uid)}/consents`, { body, repeatable: true })
  }

  /** Withdraws the consent for a scope. */
  revokeConsent(uid: string, scope: string): Promise<RevokedConsent> {
    return this.#send('DELETE', `${pathOf(uid)}/consents`, { query: { scope }, repeatable: true })
  }

  /**
   * Everything for a key of an administrative unit, the two ids for others: `detail` says which.
   *
   * @example
   * const found = await carillon.subjects.get('b10902042')
   * if (found.detail === 'full') console.log(found.stage, found.tags)
   */
  get(uid: string): Promise<FoundSubject> {
    return this.#send('GET', pathOf(uid))
  }

  /**
   * The uids of subject ids that Lookups and callbacks carry, at most 1,000; unknown ones are absent. With individual
   * targeting, or a key of an administrative unit.
   */
  async resolve(ids: readonly string[]): Promise<Map<string, string>> {
    const path = '/v1/subjects/resolve'
    const { items } = await this.#send<ResolvedSubjects>('POST', path, { body: { ids }, repeatable: true })
    return new Map(items.map(({ subjectId, uid }) => [subjectId, uid]))
  }

  /** Omitted fields are unchanged; a backward stage is ignored. */
  update(uid: string, changes: UpdateSubject): Promise<Subject> {
    return this.#send('PATCH', pathOf(uid), { body: changes, repeatable: true })
  }

  /** Messages of all units to the subject, newest first: sent, pending, failed and skipped ones, with the reason. */
  deliveries(uid: string, query: PageQuery = {}): Listing<SubjectDeliveryPage> {
    return listing(this.#send, `${pathOf(uid)}/deliveries`, query)
  }

  /** What scenarios, and units in handoffs, said to the subject, newest first. */
  turns(uid: string, query: PageQuery = {}): Listing<SubjectTurnPage> {
    return listing(this.#send, `${pathOf(uid)}/turns`, query)
  }

  /** All data stored about the subject. */
  export(uid: string): Promise<SubjectExport> {
    return this.#send('GET', `${pathOf(uid)}/export`)
  }

  /** Deletes all personal data of the subject. It cannot be undone, and is never repeated after a lost answer. */
  erase(uid: string): Promise<ErasedSubject> {
    return this.#send('DELETE', pathOf(uid))
  }
}

function pathOf(uid: string): string {
  return `/v1/subjects/${encodeURIComponent(uid)}`
}
