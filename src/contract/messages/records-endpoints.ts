import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import {
  MessageAnswerPage,
  MessageAnswerQuery,
  MessageDeliveryPage,
  MessageDeliveryQuery,
} from './records.ts'

const named = {
  method: 'GET',
  tag: 'Messages',
  auth: ['producer', 'session'],
  keyRight: 'individualTargeting',
  administrativePeople: true,
  unit: 'object',
  params: IdParams,
  errors: [],
} as const

const person = { subjectId: exampleId, uid: 's1024001' }

/** Who received a message, and who answered what. */
export const messageRecords = {
  listMessageDeliveries: {
    ...named,
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
    path: '/v1/messages/{id}/answers',
    summary: 'List the answers to a message',
    description:
      'The option or button each person chose, once per question, in the order of subject ids. The audit ' +
      'log records who read it. Answers past retention and of erased people are deleted.',
    query: MessageAnswerQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: MessageAnswerPage,
        csv: 'subjectId,uid,question,optionId,data,channel,at\r\n…,s1024001,1,yes,,chat,2030-12-01T01:00:02.310Z\r\n',
        example: {
          items: [
            {
              ...person,
              question: '1',
              optionId: 'yes',
              data: null,
              channel: 'chat',
              at: '2030-12-01T01:12:40.021Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
