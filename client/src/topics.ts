import type { Send } from './transport.ts'
import type { CreateTopic, EditTopic, Topic, TopicListQuery, TopicPage } from './types.ts'

/** Topics of the caller's unit, from which recipients can unsubscribe separately. */
export class Topics {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  list(query: TopicListQuery = {}): Promise<TopicPage> {
    return this.#send('GET', '/v1/topics', { query })
  }

  create(body: CreateTopic): Promise<Topic> {
    return this.#send('POST', '/v1/topics', { body })
  }

  get(id: string): Promise<Topic> {
    return this.#send('GET', `/v1/topics/${encodeURIComponent(id)}`)
  }

  /** Omitted fields are unchanged; `{status: 'inactive'}` deactivates the topic. */
  update(id: string, body: EditTopic): Promise<Topic> {
    return this.#send('PATCH', `/v1/topics/${encodeURIComponent(id)}`, { body })
  }
}
