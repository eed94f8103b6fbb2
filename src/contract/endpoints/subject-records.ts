import { PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { SubjectParams } from '../subject.ts'
import { ErasedSubject, SubjectDeliveryPage, SubjectExport } from '../subject-records.ts'
import { exampleDelivery, exampleSubject } from './examples-subjects.ts'

const identity = {
  tag: 'Identity',
  doors: ['producer'],
  administrative: true,
  unit: 'none',
  params: SubjectParams,
  errors: [],
} as const

/** What is held of one person and what happened to them; and the end of both. */
export const subjectRecordEndpoints = {
  listSubjectDeliveries: {
    ...identity,
    method: 'GET',
    path: '/v1/subjects/{uid}/deliveries',
    summary: 'What one person was sent',
    description: 'And what they were not, and why. Newest first, of all units.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: SubjectDeliveryPage,
        example: { items: [exampleDelivery], nextCursor: null },
      },
    },
  },
  exportSubject: {
    ...identity,
    method: 'GET',
    path: '/v1/subjects/{uid}/export',
    summary: 'Everything held of one person',
    description: 'For somebody who asks what is known about them. Is written into the audit log.',
    answers: {
      200: {
        description: 'Everything.',
        schema: SubjectExport,
        example: {
          exportedAt: '2026-11-21T02:00:00.000Z',
          subject: exampleSubject,
          records: {
            consent_history: [{ scope: 'admission', what: 'granted', at: '2026-11-20T02:00:00+00:00' }],
          },
          deliveries: [exampleDelivery],
        },
      },
    },
  },
  eraseSubject: {
    ...identity,
    method: 'DELETE',
    path: '/v1/subjects/{uid}',
    summary: 'Erase a person',
    description:
      'Addresses, profile, tags, consents with their history, answers and whatever else names the person is gone at ' +
      'once; from provider calls and personal messages that are under way as soon as these are over. Counts stay.',
    answers: {
      200: {
        description: 'Gone.',
        schema: ErasedSubject,
        example: { subjectId: exampleSubject.subjectId, erasedAt: '2026-11-21T02:00:00.000Z' },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
