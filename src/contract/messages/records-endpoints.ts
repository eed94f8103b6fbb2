import { aboutOrganisers, namesOrganisers, ofReaders } from '../answers-endpoints.ts'
import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import {
  MessageAnswersPage,
  MessageAnswersQuery,
  MessageDeliveryPage,
  MessageDeliveryQuery,
} from './records.ts'

const named = {
  method: 'GET',
  tag: 'Messages',
  auth: ['producer', 'session'],
  keyRight: 'individualTargeting',
  unit: 'object',
  params: IdParams,
  errors: [],
} as const

const person = { subjectId: exampleId, uid: 's1024001' }

/** Who received a message, who answered what, and who may read that. */
export const messageRecords = {
  listMessageDeliveries: {
    ...named,
    administrativePeople: true,
    path: '/v1/messages/{id}/deliveries',
    summary: 'List the deliveries of a message',
    description:
      'Every person in the audience, with outcome and reason on each channel, in the order of subject ' +
      'ids. The audit log records who read it. Empty before the send has started, and once the ' +
      'deliveries are past retention.',
    query: MessageDeliveryQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: MessageDeliveryPage,
        csv: 'subjectId,uid,reminder,channel,state,reason,at\r\n…,s1024001,false,chat,sent,,2030-12-01T01:00:02.310Z\r\n',
        example: {
          items: [
            {
              ...person,
              reminder: false,
              channel: 'chat',
              state: 'sent',
              reason: null,
              at: '2030-12-01T01:00:02.310Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
  },
  listMessageAnswers: {
    ...named,
    ...ofReaders,
    path: '/v1/messages/{id}/answers',
    summary: 'List who answered a message',
    description:
      'What each person chose, once per question, in the order of subject ids. Who submitted the message and its organisers ' +
      'may read it too, as long as they are members of the unit; organisers what was answered since they were named. The ' +
      'audit log records who read it. Answers past retention and of erased people are deleted. The table has the heads and ' +
      'options in the language of `Accept-Language`, and times in the zone of the unit.',
    query: MessageAnswersQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: MessageAnswersPage,
        csv: 'Uid,Name,Do you come?,Answered (Asia/Taipei)\r\ns1024001,Chen Yu-Ting,Yes,2030-12-01 09:12\r\n',
        example: {
          items: [
            {
              ...person,
              displayName: 'Chen Yu-Ting',
              answers: [
                {
                  question: '1',
                  optionId: 'yes',
                  data: null,
                  channel: 'chat',
                  at: '2030-12-01T01:12:40.021Z',
                },
              ],
              at: '2030-12-01T01:12:40.021Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
  },
  nameMessageOrganisers: {
    ...namesOrganisers,
    tag: 'Messages',
    path: '/v1/messages/{id}/organisers',
    description: `${aboutOrganisers} Submitting a message names the first ones.`,
  },
} as const satisfies Record<string, Endpoint>
