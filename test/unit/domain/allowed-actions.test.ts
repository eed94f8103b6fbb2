import { describe, expect, it } from 'vitest'
import type { MessageState, WaveState } from '../../../src/contract/enums.ts'
import type { Audience } from '../../../src/domain/audience/audience.ts'
import { allowedFor, type MessageFacts } from '../../../src/domain/message/allowed-actions.ts'
import type { PersonPrincipal, Principal, ProducerPrincipal } from '../../../src/domain/rights/principal.ts'

const person = (...roles: ('editor' | 'approver')[]): PersonPrincipal => ({
  kind: 'person',
  personId: 'p',
  systemAdmin: false,
  memberships: [{ unitId: 'u', roles }],
})
const producer: ProducerPrincipal = {
  kind: 'producer',
  keyId: 'k',
  unitId: 'u',
  unitKind: 'ordinary',
  categories: null,
  dimensions: null,
  individualTargeting: false,
  groupWriting: false,
  handoffReply: false,
}

const facts = {
  unitId: 'u',
  categoryId: 'news',
  categoryEnabled: true,
  audience: null,
  topicInactive: false,
  author: false,
  wouldExceed: false,
}
const plain = { expiresAt: null, reminder: null, parked: false } as const

function allowed(principal: Principal, state: MessageState, of: Partial<MessageFacts> = {}) {
  const pausedFrom = state === 'paused' ? 'approved' : null
  const position = { state, pausedFrom, ...plain, claimed: false } as const
  const verdicts = allowedFor(principal, { ...facts, position, ...of }, 0)
  return Object.fromEntries(
    Object.entries(verdicts).map(([verb, verdict]) => [verb, verdict.allowed || verdict.code]),
  )
}

describe('what a caller may do with a message', () => {
  it('lets any member of the unit edit a draft, and submit it', () => {
    for (const role of ['editor', 'approver'] as const)
      expect(allowed(person(role), 'draft')).toMatchObject({ edit: true, submit: true, cancel: true })
  })

  it('reserves decisions to approvers', () => {
    expect(allowed(person('approver'), 'submitted')).toMatchObject({ approve: true, reject: true })
    expect(allowed(person('editor'), 'submitted')).toMatchObject({
      approve: 'forbidden',
      reject: 'forbidden',
    })
  })

  it('keeps authors from approving, not from rejecting', () => {
    const verdicts = allowed(person('approver'), 'submitted', { author: true })
    expect(verdicts).toMatchObject({ approve: 'self_approval', reject: true })
  })

  it('shows where the quota does not suffice', () => {
    expect(allowed(person('approver'), 'submitted', { wouldExceed: true }).approve).toBe('quota_exceeded')
  })

  it('lets a producer request the automatic check of its own message, and never reject', () => {
    expect(allowed(producer, 'submitted', { author: true })).toMatchObject({
      approve: true,
      reject: 'forbidden',
    })
  })

  it('never refuses a producer the automatic check, which answers about the quota itself', () => {
    expect(allowed(producer, 'submitted', { wouldExceed: true }).approve).toBe(true)
  })

  it('asks what a key may name only while the message is a draft', () => {
    const restricted = { ...producer, categories: ['other'], dimensions: ['roles'] }
    const audience = { kind: 'query', tags: [] } as const satisfies Audience
    expect(allowed(restricted, 'draft', { audience })).toMatchObject({ submit: 'category_not_allowed' })
    expect(allowed({ ...restricted, categories: null }, 'draft', { audience })).toMatchObject({
      edit: 'audience_dimension_not_allowed',
      submit: 'audience_dimension_not_allowed',
      cancel: true,
    })
    expect(allowed(restricted, 'approved', { audience: null })).toMatchObject({ cancel: true, pause: true })
  })

  it('follows the table of moves', () => {
    expect(allowed(producer, 'approved')).toMatchObject({
      cancel: true,
      pause: true,
      resume: 'invalid_transition',
      edit: 'invalid_transition',
    })
    expect(allowed(producer, 'paused')).toMatchObject({ resume: true, pause: 'invalid_transition' })
  })

  it('knows whether a send has started: then it can be stopped, no longer cancelled', () => {
    const position = { state: 'sending', pausedFrom: null, ...plain, claimed: true } as const
    expect(allowed(producer, 'sending', { position })).toMatchObject({
      cancel: 'invalid_transition',
      stop: true,
    })
  })

  it('lists the actions on the reminder of a sent message', () => {
    const sent = { state: 'sent', pausedFrom: null, ...plain, claimed: false } as const
    const verdicts = (reminder: WaveState, claimed = false) =>
      allowed(producer, 'sent', { position: { ...sent, reminder, claimed } })
    expect(verdicts('waiting')).toMatchObject({ cancel: true, pause: 'invalid_transition' })
    expect(verdicts('sending', true)).toMatchObject({
      pause: true,
      stop: true,
      cancel: 'invalid_transition',
    })
    expect(verdicts('missed')).toMatchObject({ cancel: 'invalid_transition', stop: 'invalid_transition' })
  })

  it('lets a parked send be retried', () => {
    const position = { state: 'sending', pausedFrom: null, ...plain, claimed: true, parked: true } as const
    expect(allowed(producer, 'sending', { position }).retry).toBe(true)
    expect(allowed(producer, 'sending').retry).toBe('invalid_transition')
  })

  it('is nothing for those outside the unit', () => {
    const verdicts = allowed({ ...producer, unitId: 'other' }, 'draft')
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['forbidden']))
  })
})
