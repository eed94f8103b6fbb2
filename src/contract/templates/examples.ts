import { exampleId, exampleUnitId } from '../example-ids.ts'
import type { UnitQuota } from '../identity/unit-quota.ts'
import type { Unit } from '../identity/unit-summary.ts'
import type { CreateTemplate, Template, TemplateDetail, TemplateVersion } from './template.ts'

export const exampleCreateTemplate: CreateTemplate = {
  name: 'Open day',
  categoryId: 'campus-events',
  messages: [
    { kind: 'text', text: { 'zh-TW': '{{ name }} 在 {{ day }}。', en: '{{ name }} is on {{ day }}.' } },
  ],
  variables: [
    { name: 'name', required: true },
    { name: 'day', required: false, default: 'Saturday' },
  ],
}

export const exampleTemplate: Template = {
  id: exampleId,
  unitId: exampleUnitId,
  name: exampleCreateTemplate.name,
  categoryId: exampleCreateTemplate.categoryId,
  inForce: 1,
  state: 'approved',
  version: 1,
  messages: exampleCreateTemplate.messages,
  subject: null,
  variables: exampleCreateTemplate.variables ?? [],
  author: { id: 'key:demo', name: 'Student information system' },
  createdAt: '2026-11-20T02:00:00.000Z',
  decision: { by: { id: 'person:1', name: 'Lin Mei' }, at: '2026-11-21T02:00:00.000Z' },
}

const decided = {
  allowed: false,
  code: 'invalid_transition',
  message:
    'approve is not possible: the newest version of the template is 1, and it is approved. Only a version that waits ' +
    'can be decided about.',
} as const

export const exampleTemplateDetail: TemplateDetail = {
  ...exampleTemplate,
  allowed: {
    approve: decided,
    reject: { ...decided, message: decided.message.replace('approve', 'reject') },
  },
  usedBy: {
    bindings: [{ id: exampleId, source: 'sis', type: 'registration.confirmed' }],
    schedules: [],
  },
}

const { id: _, unitId: __, name: ___, categoryId: ____, inForce: _____, ...version } = exampleTemplate
export const exampleTemplateVersion: TemplateVersion = version

export const exampleUnitQuota: UnitQuota = {
  month: '2026-12',
  channels: [
    {
      channel: 'chat',
      unit: { limit: 150_000, reserved: 1_840, committed: 12_000 },
      pool: { limit: 60_000, reserved: 0, committed: 10_000 },
      threshold: 'ok',
      holds: [
        {
          messageId: exampleId,
          title: { 'zh-TW': '選課提醒', en: 'Course registration' },
          wave: 'first',
          sendAt: '2026-12-01T01:00:00.000Z',
          pushes: 1_840,
        },
      ],
    },
  ],
}

export const exampleUnit: Unit = {
  id: exampleUnitId,
  name: 'Admissions office',
  kind: 'ordinary',
  timeZone: 'Asia/Taipei',
  displayName: { 'zh-TW': '招生組', en: 'Admissions office' },
  replyTo: 'admissions@example.edu',
  sender: null,
  members: [{ id: exampleId, name: 'Lin Mei', roles: ['approver'] }],
  ledger: [
    {
      channel: 'chat',
      month: '2026-12',
      limit: 150_000,
      reserved: 1_840,
      committed: 12_000,
      poolRemaining: 50_000,
      threshold: 'ok',
    },
  ],
}
