import { aboutOrganisers, namesOrganisers, ofReaders } from '../answers-endpoints.ts'
import { IdParams, ifMatch } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { PatternAnswersPage, PatternAnswersQuery } from './answers.ts'
import {
  CreatedPattern,
  CreatePattern,
  CreatePatternVersion,
  PatchPattern,
  Pattern,
  PatternListQuery,
  PatternPage,
  PatternReport,
} from './pattern.ts'

const both = { tag: 'Patterns', auth: ['producer', 'session'] } as const
const writes = { ...both, roles: ['editor'] } as const
const one = { unit: 'object', params: IdParams } as const

const lunch = {
  id: 'lunch',
  text: { 'zh-TW': '午餐要葷食還是素食？', en: 'Would you like lunch with meat, or vegetarian?' },
  options: [
    { id: 'meat', label: { 'zh-TW': '葷食', en: 'With meat' } },
    { id: 'vegetarian', label: { 'zh-TW': '素食', en: 'Vegetarian' } },
  ],
}

export const exampleCreatePattern: CreatePattern = {
  type: 'registration',
  name: 'Library tour in June',
  categoryId: 'campus-events',
  title: { 'zh-TW': '圖書館導覽', en: 'Library tour' },
  description: {
    'zh-TW': '6 月 12 日 14:00，總圖書館大廳集合。',
    en: '12 June, 14:00, main library, lobby.',
  },
  deadline: '2030-06-10T18:00:00+08:00',
  capacity: 30,
  waitingList: true,
  questions: [lunch],
}

const { type: _, ...exampleVersion } = exampleCreatePattern

const created: CreatedPattern = { id: exampleId, scenarioId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8eb1' }

const examplePattern: Pattern = {
  ...created,
  unitId: exampleUnitId,
  type: 'registration',
  name: exampleCreatePattern.name,
  categoryId: exampleCreatePattern.categoryId,
  scenarioState: 'active',
  version: 1,
  versionState: 'in_force',
  inForce: 1,
  paused: false,
  decision: { by: { id: 'person:1', name: 'Lin Mei' }, at: '2030-05-02T02:00:00.000Z' },
  title: exampleCreatePattern.title,
  description: {
    'zh-TW': '6 月 12 日 14:00，總圖書館大廳集合。',
    en: '12 June, 14:00, main library, lobby.',
  },
  deadline: '2030-06-10T10:00:00.000Z',
  status: 'open',
  capacity: 30,
  left: 12,
  waitingList: true,
  questions: [
    {
      id: 'join',
      text: { 'zh-TW': '您要報名嗎？', en: 'Would you like to register?' },
      options: [
        { id: 'yes', label: { 'zh-TW': '我要報名', en: 'Register' } },
        { id: 'no', label: { 'zh-TW': '這次先不要', en: 'Not this time' } },
      ],
    },
    lunch,
  ],
  organisers: [],
  createdBy: { id: 'key:01939a2e-0000-7000-8000-000000000003', name: 'Registration system' },
  createdAt: '2030-05-01T02:00:00.000Z',
}

/** Registrations, surveys, and questions whether people come (docs/api/patterns.md). */
export const patternEndpoints = {
  listPatterns: {
    ...both,
    method: 'GET',
    path: '/v1/patterns',
    summary: 'List patterns',
    description: 'Newest first, each in its current state.',
    unit: 'query',
    query: PatternListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: PatternPage,
        example: { items: [examplePattern], nextCursor: null },
      },
    },
    errors: [],
  },
  createPattern: {
    ...writes,
    method: 'POST',
    path: '/v1/patterns',
    summary: 'Create a pattern',
    description:
      'Generates the scenario of a registration, a survey or an rsvp, in both languages, as a draft that can be activated as ' +
      'it is, and edited as any other. People may change their answer, or withdraw, until the deadline; the last answer of ' +
      'each counts. Invite them by a message with a `jumpScenario` button to the scenario.',
    unit: 'body',
    body: CreatePattern,
    bodyExample: exampleCreatePattern,
    answers: { 201: { description: 'The ids.', schema: CreatedPattern, example: created } },
    errors: ['not_found', 'category_not_allowed'],
  },
  getPattern: {
    ...both,
    ...one,
    method: 'GET',
    path: '/v1/patterns/{id}',
    summary: 'Get a pattern',
    description: 'What it asks, until when, and how many places are left now.',
    answers: { 200: { description: 'The pattern.', schema: Pattern, example: examplePattern } },
    errors: [],
  },
  patchPattern: {
    ...writes,
    ...one,
    method: 'PATCH',
    path: '/v1/patterns/{id}',
    summary: 'Move the deadline of a pattern, or add places',
    description:
      'A new deadline applies at once to people who have not answered yet. Added places go to the ' +
      'waiting list, in order; places cannot be removed (400 validation_error).',
    body: PatchPattern,
    bodyExample: { capacity: 1_000 },
    answers: {
      200: {
        description: 'The pattern.',
        schema: Pattern,
        example: { ...examplePattern, capacity: 1_000, left: 982 },
      },
    },
    errors: ['category_not_allowed', 'individual_targeting_disabled'],
  },
  createPatternVersion: {
    ...writes,
    ...one,
    method: 'POST',
    path: '/v1/patterns/{id}/versions',
    summary: 'Change a pattern as a new version',
    description:
      'Generates a new version of its scenario as a draft, which replaces a draft or pending one; the same as the newest ' +
      'makes none. PUT /v1/scenarios/{id} asks for its activation. Until it is in force, people answer the one before; ' +
      'conversations stay on the version they began with. Places of one that was in force cannot be removed. With If-Match ' +
      'it is refused (409 invalid_transition) if there is a newer version.',
    headers: ifMatch('The newest version, as it was shown.'),
    body: CreatePatternVersion,
    bodyExample: exampleVersion,
    answers: {
      201: {
        description: 'The pattern.',
        schema: Pattern,
        example: { ...examplePattern, version: 2, versionState: 'draft', decision: null },
      },
    },
    errors: ['not_found', 'category_not_allowed', 'invalid_transition'],
  },
  getPatternReport: {
    ...both,
    ...one,
    method: 'GET',
    path: '/v1/patterns/{id}/report',
    summary: 'Get the counts of a pattern',
    description:
      'Numbers and nulls only. Each person counts once, by their last answer; people who were erased and counts past ' +
      'retention stay in the numbers.',
    answers: {
      200: {
        description: 'The numbers.',
        schema: PatternReport,
        example: {
          invited: 120,
          reached: 118,
          read: 64,
          answered: 41,
          registered: 30,
          waitlisted: 4,
          withdrawn: 2,
          declined: 5,
          undecided: 0,
          stopped: 0,
          byOption: { join: { yes: 36, no: 5 }, lunch: { meat: 21, vegetarian: 15 } },
          completionRate: 0.3417,
        },
      },
    },
    errors: [],
  },
  listPatternAnswers: {
    ...both,
    ...one,
    ...ofReaders,
    method: 'GET',
    path: '/v1/patterns/{id}/answers',
    keyRight: 'individualTargeting',
    summary: 'List who answered in a pattern',
    description:
      'What each person answered last, with what was typed, and their state: who asked for a place, in the order of their ' +
      'requests, then the others. Who submitted the version in force and the organisers may read it too, as long as they are ' +
      'members of the unit, and what was answered since. The audit log records who read it. Erased people have no name. The ' +
      'table has the heads and options in the language of `Accept-Language`, and times in the zone of the unit.',
    query: PatternAnswersQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: PatternAnswersPage,
        csv: 'Order,Uid,Name,State,Lunch,Answered (Asia/Taipei)\r\n1,s1024001,Chen Yu-Ting,has a place,Vegetarian,2030-05-02 11:12\r\n',
        example: {
          items: [
            {
              subjectId: '01939a2e-0000-7000-8000-000000000007',
              uid: 's1024001',
              displayName: 'Chen Yu-Ting',
              position: 1,
              state: 'registered',
              runId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8ea1',
              answers: [
                { question: 'join', optionId: 'yes', text: null, at: '2030-05-02T03:12:31.480Z' },
                { question: 'lunch', optionId: 'vegetarian', text: null, at: '2030-05-02T03:12:39.207Z' },
              ],
              at: '2030-05-02T03:12:40.021Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
    errors: [],
  },
  namePatternOrganisers: {
    ...namesOrganisers,
    tag: 'Patterns',
    path: '/v1/patterns/{id}/organisers',
    description: `${aboutOrganisers} The first activation of the scenario names the first ones.`,
  },
} as const satisfies Record<string, Endpoint>
