import { z } from 'zod'
import { PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleConsent, exampleDelivery, exampleSubject } from './examples.ts'
import { ErasedSubject, SubjectDeliveryPage, SubjectExport } from './records.ts'
import {
  AddressParams,
  BindAddress,
  Consent,
  GrantConsent,
  RevokeConsent,
  RevokeConsentQuery,
  RevokedConsent,
  Subject,
  SubjectParams,
  SubjectRef,
  UpdateSubject,
} from './subject.ts'

const open = { tag: 'Identity', doors: ['producer'], unit: 'none' } as const
const identity = { ...open, administrative: true } as const
const one = { path: '/v1/subjects/{uid}', params: SubjectParams } as const
const addresses = {
  ...identity,
  path: '/v1/subjects/{uid}/addresses/{channel}',
  params: AddressParams,
} as const
const consents = { ...identity, path: '/v1/subjects/{uid}/consents', params: SubjectParams } as const
const { uid, subjectId } = exampleSubject

/** Who people are: addresses, stage, profile, tags, consents (docs/api/subjects.md). `{uid}` may be our subject id. */
export const subjectEndpoints = {
  bindAddress: {
    ...addresses,
    method: 'PUT',
    summary: 'Bind an address',
    description:
      'After the person has proved that it is theirs. An unknown uid becomes a visitor. Another address of the same ' +
      'channel takes the place of the old one; one that is bound to somebody else is refused. ' +
      'acquisition is written at first contact and never again.',
    body: BindAddress,
    bodyExample: {
      address: 'U4af4980629f1a3b5c7d9e0f1a2b3c4d5',
      acquisition: { source: 'chat_embed', ref: 'open-day-2026' },
    },
    answers: {
      200: {
        description: "Bound; the service's own subject id.",
        schema: z.object({ subjectId: SubjectRef.shape.subjectId }),
        example: { subjectId },
      },
    },
    errors: ['invalid_transition'],
  },
  unbindAddress: {
    ...addresses,
    method: 'DELETE',
    summary: 'Unbind an address',
    description: 'Nothing more goes there. Unbinding what is not bound changes nothing.',
    answers: {
      200: {
        description: 'The person has no address on this channel.',
        schema: z.object({ subjectId: SubjectRef.shape.subjectId }),
        example: { subjectId },
      },
    },
    errors: [],
  },
  updateSubject: {
    ...identity,
    ...one,
    method: 'PATCH',
    summary: 'Bring a person up to date',
    description:
      'What is left out stays as it is. The stage only moves forward, backward is ignored; acquisition is written ' +
      'once. Lists in the profile take the place of the old ones; tags are added and removed one by one.',
    body: UpdateSubject,
    bodyExample: {
      stage: 'member',
      profile: { displayName: '林佳蓉', roles: ['student'] },
      tags: { add: ['cohort:2026'] },
    },
    answers: { 200: { description: 'The person now.', schema: Subject, example: exampleSubject } },
    errors: [],
  },
  getSubject: {
    ...open,
    ...one,
    method: 'GET',
    summary: 'Look somebody up',
    description:
      "By uid or by the service's id. A key of an administrative unit sees everything, other keys the two ids.",
    answers: {
      200: {
        description: 'The person.',
        schema: z.union([Subject, SubjectRef]),
        example: { uid, subjectId },
      },
    },
    errors: [],
  },
  grantConsent: {
    ...consents,
    method: 'POST',
    summary: 'Record a consent',
    description: 'It is in force from now on, also where an earlier one of this scope was withdrawn.',
    body: GrantConsent,
    bodyExample: { scope: 'admission', version: '2026-1', source: 'application form' },
    answers: { 200: { description: 'The consent in force.', schema: Consent, example: exampleConsent } },
    errors: [],
  },
  revokeConsent: {
    ...consents,
    method: 'DELETE',
    summary: 'Withdraw a consent',
    description: 'Says which in ?scope= or in the body. Withdrawing it again changes nothing.',
    query: RevokeConsentQuery,
    body: RevokeConsent,
    bodyOptional: true,
    bodyExample: { scope: 'admission' },
    answers: {
      200: {
        description: 'There is none in force.',
        schema: RevokedConsent,
        example: { scope: 'admission', withdrawnAt: '2026-11-21T02:00:00.000Z' },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

const aboutOne = {
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
    ...aboutOne,
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
    ...aboutOne,
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
    ...aboutOne,
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
