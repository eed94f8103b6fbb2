import { exampleId, exampleUnitId } from '../example-ids.ts'
import type { EventKey } from './event-key.ts'
import type { ProducerKey } from './key.ts'
import type { Person } from './person.ts'
import type { QuotaAccount } from './quota.ts'
import type { UnitMember, UnitRecord } from './unit.ts'

export const exampleUnitRecord: UnitRecord = {
  id: exampleUnitId,
  name: 'Admissions office',
  kind: 'ordinary',
  timeZone: 'Asia/Taipei',
  displayName: { 'zh-TW': '招生組', en: 'Admissions office' },
  replyTo: 'admissions@example.edu',
  sender: {
    name: { 'zh-TW': '招生組', en: 'Admissions' },
    iconUrl: 'https://www.example.edu/icons/admissions.png',
  },
}

export const exampleMember: UnitMember = {
  id: exampleId,
  name: 'Lin Mei',
  email: 'lin.mei@example.edu',
  roles: ['approver', 'editor'],
}

export const examplePerson: Person = {
  id: exampleId,
  name: 'Lin Mei',
  email: 'lin.mei@example.edu',
  systemAdmin: false,
  language: 'zh-TW',
  notices: true,
  authorNotices: ['rejected', 'parked'],
  handoffNotices: true,
  subjectUid: 't0042',
}

export const exampleKey: ProducerKey = {
  id: 'Zk3vQ9sLw2Ab',
  unitId: exampleUnitId,
  name: 'Student information system',
  categories: ['campus-events'],
  dimensions: ['roles', 'stages'],
  individualTargeting: false,
  groupWriting: false,
  handoffReply: false,
  createdAt: '2026-11-20T02:00:00.000Z',
  revokedAt: null,
}

export const exampleEventKey: EventKey = {
  id: 'Qf7nB2xYc0Rt',
  unitId: exampleUnitId,
  name: 'Student information system',
  sources: ['student-information'],
  createdAt: '2026-11-20T02:00:00.000Z',
  revokedAt: null,
}

export const exampleAccount: QuotaAccount = {
  scope: exampleUnitId,
  channel: 'chat',
  month: '2026-12',
  defaultLimit: 150_000,
  limit: 180_000,
  reserved: 1_840,
  committed: 12_000,
  threshold: 'ok',
}
