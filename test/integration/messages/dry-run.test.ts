import { describe, expect, it } from 'vitest'
import { adapters } from '../../../src/channels/index.ts'
import { dryRun } from '../../../src/services/messages/prepare.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { createTemplate } from '../../../src/services/templates/templates.ts'
import {
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  read,
  tooLong,
} from '../../fixtures/message-fixture.ts'

const { fresh, fixture } = forMessages()

describe('a dry-run', () => {
  const hour = 3_600_000
  it.each([
    ['an hour ago', -hour, [], ['schedule_past']],
    ['almost a day ago', -24 * hour + 60_000, [], ['schedule_past']],
    ['more than a day ago', -24 * hour - 60_000, ['schedule_past'], []],
    ['a year ago', -365 * 24 * hour, ['schedule_past'], []],
    ['in an hour', hour, [], []],
  ])(
    'says of a time %s whether it is past, and submit agrees',
    async (_when, offset, violations, warnings) => {
      const scheduleAt = new Date(Date.now() + offset).toISOString()
      const id = await createDraft(fixture, { scheduleAt })
      const report = await dryRun(fixture.services, fixture.producer, id)
      expect(report.violations.map(({ code, path }) => [code, path])).toEqual(
        violations.map((code) => [code, 'scheduleAt']),
      )
      expect(report.warnings.map(({ code }) => code)).toEqual(warnings)
      const submitted = submitMessage(fixture.services, fixture.producer, id)
      if (violations.length > 0) {
        expect(await codeOf(submitted)).toBe('content_violation')
        return
      }
      await submitted
      expect((await read(fixture, id)).snapshot?.warnings).toEqual(report.warnings)
    },
  )

  it('returns numbers, and changes nothing', async () => {
    const id = await createDraft(fixture)
    const before = await read(fixture, id)
    expect(await dryRun(fixture.services, fixture.producer, id)).toEqual({
      recipients: {
        total: 10,
        byChannel: { chat: 10 },
        byLocale: { 'zh-TW': 10, en: 0 },
        excluded: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 },
        excludedByChannel: { chat: { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 } },
        unknownUids: 0,
      },
      quota: {
        chat: {
          ...{ estimatedPushes: 10, pushesPerPerson: 1 },
          ...{ unitRemaining: 1_000, poolRemaining: 0, wouldExceed: false },
        },
      },
      violations: [],
      warnings: [],
    })
    expect(await read(fixture, id)).toEqual(before)
  })

  it('says whom each channel leaves out, though the other reaches them', async () => {
    const channels = { ...fixture.services.channels, email: adapters.email }
    const both = { ...fixture, services: { ...fixture.services, channels } }
    const id = await createDraft(both, { categoryId: 'mail' })
    const none = { noConsent: 0, noAddress: 0, preferenceOff: 0, blocked: 0 }
    expect((await dryRun(both.services, fixture.producer, id)).recipients).toMatchObject({
      ...{ total: 10, byChannel: { chat: 10, email: 0 }, excluded: none },
      excludedByChannel: { chat: none, email: { ...none, noAddress: 10 } },
    })
    const { snapshot } = await read(fixture, await createSubmitted(both, { categoryId: 'mail' }))
    expect(snapshot?.recipients.excludedByChannel).toEqual({ chat: none, email: { ...none, noAddress: 10 } })
  })

  it('warns once of texts without English, if anybody reads English', async () => {
    const [half, both] = [{ 'zh-TW': '好' }, { 'zh-TW': '好', en: 'Good' }]
    const messages = [half, both, half].map((text) => ({ kind: 'text' as const, text }))
    const id = await createDraft(fixture, { messages })
    const check = () => dryRun(fixture.services, fixture.producer, id)
    expect((await check()).warnings).toEqual([])
    const people = await fresh.db.selectFrom('subject').select('id').execute()
    const reader = fresh.db.updateTable('subject').where('id', '=', people[0]!.id)
    await reader.set({ locale: 'en' }).execute()
    const { recipients, warnings } = await check()
    expect(recipients.byLocale).toEqual({ 'zh-TW': 9, en: 1 })
    expect(warnings).toMatchObject([
      { path: 'messages[0].text', code: 'no_english', message: { en: expect.stringMatching(/^2 texts/) } },
    ])
    await reader.set({ locale: 'zh-TW' }).execute()
  })

  it('of a draft that has expired has a violation until it is closed', async () => {
    const id = await createDraft(fixture, {})
    await fresh.db.updateTable('message').set({ expires_at: new Date() }).where('id', '=', id).execute()
    const { violations } = await dryRun(fixture.services, fixture.producer, id)
    expect(violations).toMatchObject([{ path: 'expiresAt', code: 'expired' }])
  })

  it('counts a call for every five messages', async () => {
    const messages = Array.from({ length: 6 }, () => ({ kind: 'text' as const, text: { 'zh-TW': '好' } }))
    const id = await createDraft(fixture, { messages })
    expect((await dryRun(fixture.services, fixture.producer, id)).quota.chat?.estimatedPushes).toBe(20)
  })

  it('reports what chat cannot carry, with a path into the messages', async () => {
    const id = await createDraft(fixture, { messages: [tooLong] })
    const { violations } = await dryRun(fixture.services, fixture.producer, id)
    expect(violations).toMatchObject([{ path: 'messages[0].text.zh-TW', limit: 5_000 }])
  })

  it('reports what a variable breaks', async () => {
    const { id: templateId } = await createTemplate(fixture.services, fixture.producer, {
      name: 'Only a variable',
      categoryId: 'auto',
      messages: [
        { kind: 'text', text: { 'zh-TW': '{{ course }}', en: '{% for i in (1..99999999) %}x{% endfor %}' } },
      ],
      variables: [{ name: 'course', required: true }],
    })
    const id = await createDraft(fixture, {
      categoryId: 'auto',
      messages: undefined,
      templateId,
      variables: { course: '' },
    })
    const { violations } = await dryRun(fixture.services, fixture.producer, id)
    expect(violations).toMatchObject([
      { path: 'messages[0].text.en', code: 'not_renderable' },
      { path: 'messages[0].text.zh-TW', code: 'invalid' },
    ])
  })

  it('is 503 not_configured if the plan names a channel that is not configured', async () => {
    const id = await createDraft(fixture, { categoryId: 'mail' })
    expect(await codeOf(dryRun(fixture.services, fixture.producer, id))).toBe('not_configured')
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, id))).toBe('not_configured')
  })

  it('counts with the frozen content after submit, and ends when the message is closed', async () => {
    const id = await createSubmitted(fixture)
    expect((await dryRun(fixture.services, fixture.producer, id)).recipients.total).toBe(10)
    await fresh.db.updateTable('message').set({ closed_at: new Date() }).where('id', '=', id).execute()
    expect(await codeOf(dryRun(fixture.services, fixture.producer, id))).toBe('invalid_transition')
  })
})
