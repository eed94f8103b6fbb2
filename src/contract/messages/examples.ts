import { exampleId, exampleUnitId } from '../example-ids.ts'
import type { CreateMessage } from './create.ts'
import type { MessageDetail } from './detail.ts'
import type { DryRun, Preview } from './dry-run.ts'
import type { MessageListItem } from './list.ts'

/**
 * All examples are about one invitation to an open day. They use a category and subjects of the demo and dates in the
 * far future, so that they work when pasted.
 */
export const exampleCreate = {
  categoryId: 'campus-events',
  messages: [
    { kind: 'text', text: { 'zh-TW': '校園開放日在週六，歡迎參加。', en: 'Open day is on Saturday.' } },
  ],
  audience: { kind: 'query', roles: ['student'], stages: ['member'], exclude: { tags: ['cohort:2020'] } },
  scheduleAt: '2030-12-01T09:00:00+08:00',
  expiresAt: '2030-12-05T18:00:00+08:00',
  reference: 'open-day-2030',
} satisfies CreateMessage

export const exampleDryRun: DryRun = {
  recipients: {
    total: 1_840,
    byChannel: { chat: 1_840 },
    byLocale: { 'zh-TW': 1_780, en: 60 },
    excluded: { noConsent: 60, noAddress: 85, preferenceOff: 12, blocked: 3 },
    excludedByChannel: { chat: { noConsent: 60, noAddress: 85, preferenceOff: 12, blocked: 3 } },
    unknownUids: 0,
  },
  quota: {
    chat: {
      estimatedPushes: 1_840,
      pushesPerPerson: 1,
      unitRemaining: 150_000,
      poolRemaining: 50_000,
      wouldExceed: false,
    },
  },
  violations: [],
  warnings: [],
}

const no = (verb: string, advice = '') => ({
  allowed: false,
  code: 'invalid_transition',
  message: `${verb} is not possible: the message is sending.${advice}`,
})
const tally = { sent: 1_500, skipped: { noConsent: 60 }, failed: 0, unknown: 0, pending: 340 }

export const exampleListItem: MessageListItem = {
  id: exampleId,
  version: 4,
  title: { 'zh-TW': '校園開放日在週六，歡迎參加。', en: 'Open day is on Saturday.' },
  state: 'sending',
  reference: 'open-day-2030',
  kind: 'broadcast',
  origin: 'api',
  unitId: exampleUnitId,
  category: { id: 'campus-events', name: { 'zh-TW': '校園活動', en: 'Campus events' } },
  author: { id: 'key:demo', name: 'Student information system' },
  createdAt: '2030-11-30T02:00:00.000Z',
  submittedAt: '2030-11-30T02:00:05.000Z',
  scheduleAt: '2030-12-01T01:00:00.000Z',
  startsAt: '2030-12-01T01:00:00.000Z',
  expiresAt: '2030-12-05T10:00:00.000Z',
  remindAt: null,
  remindTo: null,
  recipients: { total: 1_840, byChannel: { chat: 1_840 } },
  stats: {
    ...tally,
    byChannel: { chat: tally },
    people: { reached: 1_500, unknown: 0, failed: 0, skipped: 60, pending: 340 },
  },
  wouldExceed: false,
  review: {},
  allowed: {
    edit: no('edit', ' Only a draft can be edited. Copy it with POST /v1/messages/{id}/copy.'),
    submit: no('submit'),
    approve: no('approve'),
    reject: no('reject'),
    withdraw: no('withdraw'),
    cancel: no('cancel', ' Some recipients may have received it. Stop it instead.'),
    pause: { allowed: true },
    resume: no('resume'),
    stop: { allowed: true },
    retry: no('retry', ' Only a parked send can be retried.'),
  },
}

export const exampleDetail: MessageDetail = {
  ...exampleListItem,
  answers: {},
  answered: 0,
  organisers: [],
  clicks: null,
  categoryId: 'campus-events',
  topicId: null,
  audience: exampleCreate.audience,
  audienceGroups: [],
  drift: null,
  channelPlan: { mode: 'first_available', channels: ['chat'] },
  channelPlanOverride: null,
  template: null,
  content: { messages: exampleCreate.messages ?? [], variables: null, subject: null },
  snapshot: { ...exampleDryRun, at: '2030-11-30T02:00:05.000Z' },
  approvals: [
    { by: { id: 'person:1', name: 'Lin Mei' }, at: '2030-11-30T03:00:00.000Z', outcome: 'approved' },
  ],
  timeline: [
    {
      at: '2030-11-30T02:00:00.000Z',
      action: 'create',
      by: { id: 'key:demo', name: 'Student information system' },
    },
    { at: '2030-11-30T03:00:00.000Z', action: 'approve', by: { id: 'person:1', name: 'Lin Mei' } },
  ],
  reminder: null,
  parked: null,
  retrying: [],
  closedAt: null,
}

export const examplePreview: Preview = {
  channel: 'chat',
  locale: 'en',
  messages: exampleCreate.messages!,
  violations: [],
  calls: [[{ type: 'text', text: 'Open day is on Saturday.' }]],
}
