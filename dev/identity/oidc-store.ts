import type { Adapter, AdapterPayload } from 'oidc-provider'

type Kept = { payload: AdapterPayload; until: number }

/** The provider's store of sessions, codes and tokens, in memory; one instance for each model. */
export class Memory implements Adapter {
  readonly #kept = new Map<string, Kept>()

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const now = Date.now()
    for (const [key, { until }] of this.#kept) if (until < now) this.#kept.delete(key)
    this.#kept.set(id, { payload, until: expiresIn ? now + expiresIn * 1_000 : Number.POSITIVE_INFINITY })
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const kept = this.#kept.get(id)
    return kept && kept.until > Date.now() ? kept.payload : undefined
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#payloads().find((payload) => payload.uid === uid)
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#payloads().find((payload) => payload.userCode === userCode)
  }

  async consume(id: string): Promise<void> {
    const kept = this.#kept.get(id)
    if (kept) kept.payload.consumed = Math.floor(Date.now() / 1_000)
  }

  async destroy(id: string): Promise<void> {
    this.#kept.delete(id)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, { payload }] of this.#kept) if (payload.grantId === grantId) this.#kept.delete(id)
  }

  #payloads(): AdapterPayload[] {
    return [...this.#kept.values()].map(({ payload }) => payload)
  }
}
