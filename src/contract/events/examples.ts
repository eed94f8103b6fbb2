import { exampleId, exampleUnitId } from '../example-ids.ts'
import type {
  CreateEventBinding,
  EventBinding,
  EventBindingDetail,
  EventBindingVersion,
  EventReplay,
} from './binding.ts'
import type { EventAnswer, SystemEvent } from './event.ts'
import type { RecordedEvent } from './recorded.ts'

export const exampleEvent: SystemEvent = {
  eventId: 'admission-2026-1042',
  type: 'admission.granted',
  occurredAt: '2026-12-01T09:00:00+08:00',
  subjectUids: ['b10902042'],
  data: { name: '林小雨', department: 'Physics' },
}

export const exampleEventAnswer: EventAnswer = {
  accepted: true,
  duplicate: false,
  unknownUids: 0,
  eventId: exampleEvent.eventId,
  messageId: exampleId,
}

export const exampleCreateBinding: CreateEventBinding = {
  source: 'student-information',
  type: exampleEvent.type,
  categoryId: 'campus-events',
  audience: { kind: 'event_subjects' },
  keyIds: ['sis-2026'],
}

const exampleRule: Omit<EventBindingVersion, 'version' | 'state' | 'author' | 'createdAt' | 'decision'> = {
  source: 'student-information',
  type: exampleEvent.type,
  categoryId: 'campus-events',
  templateId: exampleId,
  scenarioId: null,
  runPer: null,
  audience: { kind: 'event_subjects' },
  keyIds: ['sis-2026'],
  enabled: true,
}

export const exampleBinding: EventBinding = {
  id: exampleId,
  unitId: exampleUnitId,
  ...exampleRule,
  inForce: 1,
  newest: {
    version: 1,
    state: 'in_force',
    ...exampleRule,
    author: { id: 'key:5f3a9c', name: 'Student information' },
    createdAt: '2026-11-20T02:00:00.000Z',
    decision: null,
  },
  createdAt: '2026-11-20T02:00:00.000Z',
  updatedAt: '2026-11-20T02:00:00.000Z',
}

const inForce = {
  allowed: false,
  code: 'invalid_transition',
  message:
    'approve is not possible: the newest version of the binding is 1, and it is in_force. Only a version that waits can ' +
    'be decided about.',
} as const

export const exampleBindingDetail: EventBindingDetail = {
  ...exampleBinding,
  allowed: {
    approve: inForce,
    reject: { ...inForce, message: inForce.message.replace('approve', 'reject') },
  },
}

const byKey = {
  allowed: false,
  code: 'forbidden',
  message: 'Only a person may approve or reject a binding. Sign in as an approver of the unit.',
} as const

/** A change that waits for an approver: the fields above are those of version 1, which stays in force. */
export const exampleSubmittedBinding: EventBindingDetail = {
  ...exampleBinding,
  allowed: { approve: byKey, reject: byKey },
  newest: {
    ...exampleBinding.newest,
    version: 2,
    state: 'submitted',
    audience: { kind: 'query', roles: ['student'] },
    createdAt: '2026-11-21T02:00:00.000Z',
  },
  updatedAt: '2026-11-21T02:00:00.000Z',
}

export const exampleReplay: EventReplay = {
  events: 12,
  messages: 11,
  runs: 0,
  errors: { missing_variable: 1 },
  waiting: 0,
}

export const exampleRecordedEvent: RecordedEvent = {
  id: exampleId,
  source: 'student-information',
  eventId: exampleEvent.eventId,
  type: exampleEvent.type,
  occurredAt: '2026-12-01T01:00:00.000Z',
  receivedAt: '2026-12-01T01:00:03.120Z',
  keyId: 'sis-2026',
  subjectCount: 1,
  unusedVariables: [],
  warnings: [],
  messageId: null,
  runs: null,
  error: 'missing_variable',
  details: { variables: ['department'] },
}
