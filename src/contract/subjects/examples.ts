import { exampleId, exampleUnitId } from '../example-ids.ts'
import type { SubjectDelivery, SubjectTurn } from './records.ts'
import type { Subject } from './subject.ts'

export const exampleConsent = {
  scope: 'admission',
  version: '2026-1',
  source: 'application form',
  grantedAt: '2026-11-20T02:00:00.000Z',
  withdrawnAt: null,
}

export const exampleSubject: Subject = {
  uid: 'B11002034',
  subjectId: exampleId,
  stage: 'member',
  tags: ['cohort:2026', 'interest:robotics'],
  profile: {
    displayName: '林佳蓉',
    locale: 'zh-TW',
    roles: ['student'],
    orgUnits: ['engineering'],
    classIds: ['ee-1a'],
    attributes: { year: 1 },
  },
  acquisition: { source: 'chat_embed', ref: 'open-day-2026' },
  addresses: [
    {
      channel: 'chat',
      address: 'U4af4980629f1a3b5c7d9e0f1a2b3c4d5',
      boundAt: '2026-11-20T02:00:00.000Z',
      blocked: false,
      suppressed: false,
    },
  ],
  consents: [exampleConsent],
  createdAt: '2026-11-20T02:00:00.000Z',
  updatedAt: '2026-11-21T02:00:00.000Z',
}

export const exampleDelivery: SubjectDelivery = {
  messageId: exampleId,
  unitId: exampleUnitId,
  categoryId: 'campus-events',
  title: { 'zh-TW': '校園開放日在週六，歡迎參加。', en: 'Open day is on Saturday.' },
  reminder: false,
  channel: 'chat',
  state: 'sent',
  reason: null,
  at: '2026-12-01T01:00:01.250Z',
}

export const exampleTurn: SubjectTurn = {
  id: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8eb1',
  runId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8ea1',
  handoffId: null,
  scenarioId: exampleId,
  unitId: exampleUnitId,
  categoryId: 'academic-affairs',
  number: 1,
  firstNode: 'coming',
  lastNode: 'coming',
  state: 'sent',
  reason: null,
  channel: 'chat',
  by: 'push',
  createdAt: '2030-12-01T01:00:01.902Z',
  firstTryAt: '2030-12-01T01:00:02.101Z',
  nextTryAt: null,
  closedAt: '2030-12-01T01:00:02.310Z',
}
