import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../src/domain/audience/audience.ts'
import { type AutomaticCheck, automaticCheck } from '../../../src/domain/audience/automatic-check.ts'

const snapshot: Snapshot = {
  recipients: {
    total: 100,
    byChannel: { chat: 100 },
    byLocale: { 'zh-TW': 100 },
    excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
    excludedByChannel: {},
    unknownUids: 0,
  },
  quota: {
    chat: {
      estimatedPushes: 100,
      pushesPerPerson: 1,
      unitRemaining: 100,
      poolRemaining: 0,
      wouldExceed: false,
    },
  },
  violations: [],
}
const good: AutomaticCheck = {
  approvalRule: 'auto',
  autoMaxRecipients: 100,
  template: { state: 'approved', categoryId: 'news' },
  categoryId: 'news',
  beyondSubjects: false,
  snapshot,
  small: false,
}
const violation = { path: 'messages[0]', code: 'too_long', message: { 'zh-TW': '太長' } }
const exceeding = { chat: { ...snapshot.quota.chat!, wouldExceed: true } }

const faults = [
  ['category_not_auto', { approvalRule: 'manual' }],
  ['audience_not_subjects', { beyondSubjects: true }],
  ['template_required', { template: null }],
  ['template_not_approved', { template: { state: 'draft', categoryId: 'news' } }],
  ['content_violation', { snapshot: { ...snapshot, violations: [violation] } }],
  ['audience_too_large', { autoMaxRecipients: 99 }],
  ['quota', { snapshot: { ...snapshot, quota: exceeding } }],
] as const satisfies [string, Partial<AutomaticCheck>][]

describe('the automatic check', () => {
  it('approves an approved template in an automatic category, within audience and quota', () => {
    expect(automaticCheck(good)).toBeNull()
  })

  it.each(faults)('returns %s', (reason, fault) => {
    expect(automaticCheck({ ...good, ...fault })).toBe(reason)
  })

  it('returns the first reason, if there are several', () => {
    const quotaAndViolation = { ...snapshot, quota: exceeding, violations: [violation] }
    const all = { ...good, autoMaxRecipients: 1, snapshot: quotaAndViolation }
    expect(automaticCheck({ ...all, approvalRule: 'manual', template: null })).toBe('category_not_auto')
    expect(automaticCheck({ ...all, beyondSubjects: true, template: null })).toBe('audience_not_subjects')
    expect(automaticCheck({ ...all, template: null })).toBe('template_required')
    expect(automaticCheck(all)).toBe('content_violation')
    expect(automaticCheck({ ...all, snapshot: { ...snapshot, quota: exceeding } })).toBe('audience_too_large')
  })

  it('accepts neither a rejected template, nor one approved for another category', () => {
    expect(automaticCheck({ ...good, template: { state: 'rejected', categoryId: 'news' } })).toBe(
      'template_not_approved',
    )
    expect(automaticCheck({ ...good, template: { state: 'approved', categoryId: 'other' } })).toBe(
      'template_not_approved',
    )
  })
})
