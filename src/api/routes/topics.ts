import type { FastifyInstance } from 'fastify'
import { createTopic, editTopic, getTopic, listTopics } from '../../services/catalogue/topics.ts'
import type { Services } from '../../services/context.ts'
import { serve } from '../serve.ts'

/** Topics that people can unsubscribe from (docs/api/topics.md). */
export function topicRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listTopics', ({ principal, query }) => listTopics(services, principal, query))

  serve(app, 'createTopic', ({ principal, body }) => createTopic(services, principal, body))

  serve(app, 'getTopic', ({ principal, params }) => getTopic(services, principal, params.id))

  serve(app, 'editTopic', ({ principal, params, body }) => editTopic(services, principal, params.id, body))
}
