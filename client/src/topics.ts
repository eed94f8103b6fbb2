import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type { CreateTopic, EditTopic, Topic, TopicListQuery, TopicPage } from './types.ts'

/** Topics of the caller's unit, from which recipients can unsubscribe separately. */
export class Topics {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first. */
  list(query: TopicListQuery = {}): Listing<TopicPage> {
    return listing(this.#send, '/v1/topics', query)
  }

  /** Creates an active topic. A name can be used once. */
  create(body: CreateTopic): Promise<Topic> {
    return this.#send('POST', '/v1/topics', { body })
  }

  /** One topic. */
  get(id: string): Promise<Topic> {
    return this.#send('GET', `/v1/topics/${encodeURIComponent(id)}`)
  }

  /** Omitted fields are unchanged; `{status: 'inactive'}` deactivates the topic. */
  update(id: string, body: EditTopic): Promise<Topic> {
    return this.#send('PATCH', `/v1/topics/${encodeURIComponent(id)}`, { body, repeatable: true })
  }
}
