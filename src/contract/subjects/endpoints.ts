import { PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleConsent, exampleDelivery, exampleSubject, exampleTurn } from './examples.ts'
import { ErasedSubject, SubjectDeliveryPage, SubjectExport, SubjectTurnPage } from './records.ts'
import {
  AddressParams,
  BindAddress,
  BoundSubject,
  Consent,
  FoundSubject,
  GrantConsent,
  ResolvedSubjects,
  ResolveSubjects,
  RevokeConsent,
  RevokeConsentQuery,
  RevokedConsent,
  Subject,
  SubjectParams,
  UpdateSubject,
} from './subject.ts'

const open = { tag: 'Identity', auth: ['producer'], unit: 'none' } as const
const identity = { ...open, administrative: true } as const
const one = { path: '/v1/subjects/{uid}', params: SubjectParams } as const
const addresses = {
  ...identity,
  path: '/v1/subjects/{uid}/addresses/{channel}',
  params: AddressParams,
} as const
const consents = { ...identity, path: '/v1/subjects/{uid}/consents', params: SubjectParams } as const
const { uid, subjectId } = exampleSubject

/**
 * Subjects: addresses, stage, profile, tags, consents (docs/api/subjects.md). `{uid}` may also be Carillon's subject
 * id.
 */
export const subjectEndpoints = {
  bindAddress: {
    ...addresses,
    method: 'PUT',
    summary: 'Bind an address',
    description:
      'Bind an address only after the subject has proved that they own it. An unknown uid creates a visitor. The ' +
      'address replaces the previous one of the channel; an address bound to another subject, in any spelling, is ' +
      'rejected. A suppressed address stays suppressed. acquisition is recorded once and never overwritten.',
    body: BindAddress,
    bodyExample: {
      address: 'U4af4980629f1a3b5c7d9e0f1a2b3c4d5',
      acquisition: { source: 'chat_embed', ref: 'open-day-2026' },
    },
    answers: {
      200: {
        description: "Bound. Returns Carillon's subject id.",
        schema: BoundSubject,
        example: { subjectId },
      },
    },
    errors: ['invalid_transition', 'not_configured'],
  },
  unbindAddress: {
    ...addresses,
    method: 'DELETE',
    summary: 'Unbind an address',
    description: 'No further message is sent to it. Idempotent: a repeat changes nothing.',
    answers: {
      200: {
        description: 'The subject has no address on this channel.',
        schema: BoundSubject,
        example: { subjectId },
      },
    },
    errors: [],
  },
  updateSubject: {
    ...identity,
    ...one,
    method: 'PATCH',
    summary: 'Update a subject',
    description:
      'Omitted fields are unchanged. The stage only moves forward; a backward change is ignored. acquisition is ' +
      'recorded once. Lists in the profile replace the previous ones; tags are added and removed individually.',
    body: UpdateSubject,
    bodyExample: {
      stage: 'member',
      profile: { displayName: '林佳蓉', roles: ['student'] },
      tags: { add: ['cohort:2026'] },
    },
    answers: { 200: { description: 'The updated subject.', schema: Subject, example: exampleSubject } },
    errors: [],
  },
  getSubject: {
    ...open,
    ...one,
    method: 'GET',
    summary: 'Get a subject',
    description:
      "By uid or by Carillon's subject id. Keys of an administrative unit get all data, which the audit log records; " +
      'other keys get only the two ids.',
    answers: {
      200: {
        description: 'The subject.',
        schema: FoundSubject,
        example: { detail: 'ids', uid, subjectId },
      },
    },
    errors: [],
  },
  resolveSubjects: {
    ...open,
    method: 'POST',
    path: '/v1/subjects/resolve',
    keyRight: 'individualTargeting',
    summary: 'Resolve subject ids to uids',
    description:
      'For the ids that Lookups and callbacks carry, many at once. Only for keys with individual targeting and keys of ' +
      'administrative units; the others get 403. Answers for people with whom this unit has had a run of a scenario, or who ' +
      'have answered one of its messages; for keys of an administrative unit, for everybody. The audit log records each call.',
    body: ResolveSubjects,
    bodyExample: { ids: [subjectId] },
    answers: {
      200: {
        description: 'The uids that are known.',
        schema: ResolvedSubjects,
        example: { items: [{ uid, subjectId }] },
      },
    },
    errors: [],
  },
  grantConsent: {
    ...consents,
    method: 'POST',
    summary: 'Record a consent',
    description: 'Takes effect immediately, even if an earlier consent for this scope was withdrawn.',
    body: GrantConsent,
    bodyExample: { scope: 'admission', version: '2026-1', source: 'application form' },
    answers: { 200: { description: 'The active consent.', schema: Consent, example: exampleConsent } },
    errors: [],
  },
  revokeConsent: {
    ...consents,
    method: 'DELETE',
    summary: 'Withdraw a consent',
    description:
      'Pass the scope in ?scope= or in the body, which may be the one that recorded it. Idempotent: a repeat changes nothing.',
    query: RevokeConsentQuery,
    body: RevokeConsent,
    bodyOptional: true,
    bodyExample: { scope: 'admission' },
    answers: {
      200: {
        description: 'No consent for this scope is active.',
        schema: RevokedConsent,
        example: { scope: 'admission', withdrawnAt: '2026-11-21T02:00:00.000Z' },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>

const aboutOne = {
  tag: 'Identity',
  auth: ['producer'],
  administrative: true,
  unit: 'none',
  params: SubjectParams,
  errors: [],
} as const

/** The stored data and deliveries of one subject, and their erasure. */
export const subjectRecordEndpoints = {
  listSubjectDeliveries: {
    ...aboutOne,
    method: 'GET',
    path: '/v1/subjects/{uid}/deliveries',
    summary: 'List deliveries of a subject',
    description:
      'Deliveries of all units, newest first: sent, pending, failed and skipped ones, with the reason. The audit log ' +
      'records each call.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: SubjectDeliveryPage,
        example: { items: [exampleDelivery], nextCursor: null },
      },
    },
  },
  listSubjectTurns: {
    ...aboutOne,
    method: 'GET',
    path: '/v1/subjects/{uid}/turns',
    summary: 'List the turns that scenarios and handoffs sent to a subject',
    description:
      'Turns of the runs and handoffs of all units, newest first: sent, pending, failed and skipped ' +
      'ones, with the reason. Their texts are in the run or handoff, for permitted callers. The audit ' +
      'log records each call.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: SubjectTurnPage,
        example: { items: [exampleTurn], nextCursor: null },
      },
    },
  },
  exportSubject: {
    ...aboutOne,
    method: 'GET',
    path: '/v1/subjects/{uid}/export',
    summary: 'Export a subject',
    description:
      'All data stored about one subject, for access requests. Every export is recorded in the audit log.',
    answers: {
      200: {
        description: 'The export.',
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
    summary: 'Erase a subject',
    description:
      'Deletes addresses, profile, tags, consents with their history, answers and all other personal data ' +
      'immediately; in provider calls and personal messages in flight, as soon as these end. Counts are kept.',
    answers: {
      200: {
        description: 'The subject is erased.',
        schema: ErasedSubject,
        example: { subjectId: exampleSubject.subjectId, erasedAt: '2026-11-21T02:00:00.000Z' },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
