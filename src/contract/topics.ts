import { z } from 'zod'
import {
  Id,
  IdParams,
  Instant,
  isChange,
  mustChange,
  oneOrMore,
  PageQuery,
  pageOf,
  UnitId,
} from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { topicStatuses } from './enums.ts'
import { exampleId, exampleUnitId } from './example-ids.ts'
import { bounds, limits } from './limits.ts'
import { LocalisedText, withoutEmptyEnglish } from './localised-text.ts'

const status = z
  .enum(topicStatuses)
  .describe('`inactive`: messages of the topic can be neither created nor submitted.')

export const Topic = z
  .object({
    id: Id.describe('The id of the topic.'),
    unitId: Id.describe('The unit that it belongs to.'),
    name: LocalisedText.describe('Its name, as recipients see it.'),
    status,
    createdAt: Instant.describe('When it was created, in UTC.'),
  })
  .meta({
    id: 'Topic',
    description: 'A theme that a unit writes about. Recipients can unsubscribe from each one separately.',
  })
export type Topic = z.infer<typeof Topic>

const name = z.string().trim().min(1).max(limits.topicNameLength)

const TopicName = z
  .strictObject({
    'zh-TW': name.describe(
      `Traditional Chinese as written in Taiwan, 1 to ${limits.topicNameLength} characters.`,
    ),
    en: z
      .string()
      .trim()
      .max(limits.topicNameLength)
      .optional()
      .describe(
        `English, at most ${limits.topicNameLength} characters. Omitted or empty: readers of English get the Chinese name.`,
      ),
  })
  .overwrite(withoutEmptyEnglish)
  .meta({
    id: 'TopicName',
    description:
      'The name of a topic, as recipients read it among others: neither blank nor with invisible characters.',
  })

export const CreateTopic = z
  .strictObject({
    unitId: UnitId,
    name: TopicName.describe('Its name, as recipients see it.'),
    status: status
      .optional()
      .describe('`active` by default. Messages of an inactive topic cannot be created.'),
  })
  .meta({ id: 'CreateTopic', description: 'A new topic.' })
export type CreateTopic = z.infer<typeof CreateTopic>

export const EditTopic = z
  .strictObject({
    name: TopicName.optional().describe('Its name, as recipients see it.'),
    status: status.optional(),
  })
  .refine(isChange, mustChange)
  .meta({
    id: 'EditTopic',
    minProperties: 1,
    description: 'Changes to a topic, at least one. Omitted fields are unchanged.',
    examples: [{ status: 'inactive' }],
  })
export type EditTopic = z.infer<typeof EditTopic>

export const TopicPage = pageOf(Topic).meta({
  id: 'TopicPage',
  description: "One page of a unit's topics, newest first.",
})
export type TopicPage = z.infer<typeof TopicPage>

/** Sessions of people in several units must pass unitId. */
export const TopicListQuery = PageQuery.extend({
  unitId: UnitId,
  status: oneOrMore(status)
    .optional()
    .describe('Only topics with this status. May be repeated. Omitted: all.'),
})
export type TopicListQuery = z.infer<typeof TopicListQuery>

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
