import type { z } from 'zod'
import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { bounds } from '../limits.ts'
import { CreateTopic, EditTopic, Topic, TopicListQuery, TopicPage } from './topic.ts'

const common = { tag: 'Topics', auth: ['producer', 'session'] } as const
const one = { ...common, path: '/v1/topics/{id}', unit: 'object', params: IdParams } as const

const exampleTopic: z.infer<typeof Topic> = {
  id: exampleId,
  unitId: exampleUnitId,
  name: { 'zh-TW': '社團活動', en: 'Clubs' },
  status: 'active',
  createdAt: '2026-11-20T02:00:00.000Z',
}

/** A unit's topics. */
export const topicEndpoints = {
  listTopics: {
    ...common,
    method: 'GET',
    path: '/v1/topics',
    summary: 'List topics',
    description: 'Newest first, optionally filtered by status.',
    unit: 'query',
    query: TopicListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: TopicPage,
        example: { items: [exampleTopic], nextCursor: null },
      },
    },
    errors: [],
  },
  createTopic: {
    ...common,
    method: 'POST',
    path: '/v1/topics',
    summary: 'Create a topic',
    description:
      'Recipients can unsubscribe from a topic without unsubscribing from its category. A unit can have at most ' +
      `${bounds.topics.most} topics, each with names of its own.`,
    roles: ['editor'],
    unit: 'body',
    body: CreateTopic,
    bodyExample: { name: exampleTopic.name },
    answers: { 201: { description: 'The topic.', schema: Topic, example: exampleTopic } },
    errors: [],
  },
  getTopic: {
    ...one,
    method: 'GET',
    summary: 'Get a topic',
    description: 'Returns its name and status.',
    answers: { 200: { description: 'The topic.', schema: Topic, example: exampleTopic } },
    errors: [],
  },
  editTopic: {
    ...one,
    method: 'PATCH',
    summary: 'Update, deactivate or activate a topic',
    description:
      'Messages of an inactive topic can be neither created nor submitted (topic_inactive). Submitted messages are ' +
      'still sent.',
    roles: ['editor'],
    body: EditTopic,
    bodyExample: { status: 'inactive' },
    answers: {
      200: { description: 'The topic.', schema: Topic, example: { ...exampleTopic, status: 'inactive' } },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
