import type { Send } from './transport.ts'
import type {
  BindAddress,
  Consent,
  GrantConsent,
  RevokedConsent,
  Subject,
  SubjectRef,
  UpdateSubject,
} from './types.ts'

/**
 * Subjects: their addresses, attributes and consents. Requires a key of an administrative unit, except for `get`.
 * A subject is identified by your uid or by the service's subject id.
 */
export class Subjects {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Binds an address that the subject has proved to own; an unknown uid creates a visitor. */
  bind(uid: string, channel: 'chat' | 'email', body: BindAddress): Promise<{ subjectId: string }> {
    return this.#send('PUT', `${pathOf(uid)}/addresses/${channel}`, { body })
  }

  unbind(uid: string, channel: 'chat' | 'email'): Promise<{ subjectId: string }> {
    return this.#send('DELETE', `${pathOf(uid)}/addresses/${channel}`)
  }

  grantConsent(uid: string, body: GrantConsent): Promise<Consent> {
    return this.#send('POST', `${pathOf(uid)}/consents`, { body })
  }

  revokeConsent(uid: string, scope: string): Promise<RevokedConsent> {
    return this.#send('DELETE', `${pathOf(uid)}/consents`, { query: { scope } })
  }

  /** Everything for a key of an administrative unit, `{uid, subjectId}` for others. */
  get(uid: string): Promise<Subject | SubjectRef> {
    return this.#send('GET', pathOf(uid))
  }

  /** Omitted fields are unchanged; a backward stage is ignored. */
  update(uid: string, changes: UpdateSubject): Promise<Subject> {
    return this.#send('PATCH', pathOf(uid), { body: changes })
  }
}

function pathOf(uid: string): string {
  return `/v1/subjects/${encodeURIComponent(uid)}`
}
