import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { upsertPerson } from '../../../dev/people.ts'
import { freePort } from '../../../dev/ports.ts'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { createMailSender, type Mailing } from '../../../src/channels/email/mailing.ts'
import type { Pieces } from '../../../src/channels/email/wire.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { scheduleActor } from '../../../src/domain/rights/principal.ts'
import { changeMembers } from '../../../src/services/groups/change-members.ts'
import { createGroup } from '../../../src/services/groups/groups.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { sendNextNotice } from '../../../src/services/notices/send.ts'
import { approveTemplate } from '../../../src/services/templates/decide.ts'
import { createTemplate } from '../../../src/services/templates/templates.ts'
import { createTemplateVersion } from '../../../src/services/templates/versions.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { groupOf } from '../../fixtures/groups.ts'
import { mailbox, mailerTo, sender } from '../../fixtures/mailbox.ts'
import { codeOf, createDraft, createSubmitted, forMessages } from '../../fixtures/message-fixture.ts'
import { publicUrl, sendNotices } from '../../fixtures/notice-mails.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { insertSchedule, scheduleName } from '../../fixtures/schedule-rows.ts'
import { byMails } from '../../fixtures/senders.ts'
import { eventually } from '../../harness/eventually.ts'
import { spawnProcess } from '../../harness/spawn.ts'

const { fresh, fixture } = forMessages()
beforeEach(() => fixture.db.deleteFrom('notice').execute())

const sendAll = (outcome?: Outcome) => sendNotices(sendNextNotice, fixture.services, outcome)

/** Brings the next try of every notice forward to now. */
const nextTry = () => fixture.db.updateTable('notice').set({ next_try_at: sql<Date>`now()` }).execute()

const notices = () =>
  fixture.db.selectFrom('notice').select(['person_id', 'reason', 'state', 'code']).execute()
const reasons = async () => (await notices()).map(({ reason }) => reason)
const read = (pieces: Pieces) => pieces.join('')

describe('approvers are notified', () => {
  it('of what is submitted to a manual category, each in their language, with a link and without recipients', async () => {
    const { personId } = fixture.approver
    await fixture.db.updateTable('person').set({ language: 'en' }).where('id', '=', personId).execute()
    const id = await createSubmitted(fixture)
    const mails = await sendAll()
    expect(mails.map(({ to }) => to[0]!.subjectId).sort()).toEqual([personId, fixture.both.personId].sort())
    const [mail] = mails.filter(({ to }) => to[0]!.subjectId === personId)
    expect(contentFor(mail!.content).subject).toBe('Approval needed: Registration closes today')
    expect(read(contentFor(mail!.content).text)).toContain(
      `→ Review the message\n${publicUrl}/approvals/message/${id}?version=2\n`,
    )
    const text = read(contentFor(mail!.content).text)
    expect(text).toMatch(/Recipients: 10\nAuthor: .+\nSend time: once approved\n/)
    expect(read(contentFor(mail!.content).html)).not.toContain('student-')
    expect(await sendAll()).toEqual([])
  })

  it('with the name of the unit as people know it, in their language', async () => {
    const names = { 'zh-TW': '招生組', en: 'Office of Admissions' }
    const { personId } = fixture.approver
    await fixture.db.updateTable('person').set({ language: 'en' }).where('id', '=', personId).execute()
    const show = (displayName: typeof names | null) =>
      fixture.db
        .updateTable('unit')
        .set({ display_name: displayName && JSON.stringify(displayName) })
        .where('id', '=', fixture.unit.id)
        .execute()
    await show(names)
    await createSubmitted(fixture)
    const texts = (await sendAll()).map(({ content }) => read(contentFor(content).text)).sort()
    expect(texts).toEqual([
      expect.stringContaining('you approve messages of Office of Admissions'),
      expect.stringContaining('您是「招生組」的核准者'),
    ])
    await show(null)
  })

  it('with the name of the schedule that made the message', async () => {
    const { personId } = fixture.approver
    await fixture.db.updateTable('person').set({ language: 'en' }).where('id', '=', personId).execute()
    const [id, byPeople] = [await createSubmitted(fixture), await createSubmitted(fixture)]
    await fixture.db
      .updateTable('message')
      .set({ origin: 'schedule', created_by: scheduleActor(await insertSchedule(fixture.db)) })
      .where('id', '=', id)
      .execute()
    const texts = (await sendAll()).map(({ content }) => read(contentFor(content).text))
    const about = (one: string) => texts.filter((text) => text.includes(one))
    expect(about(id).join()).toContain(`The message was created by the schedule “${scheduleName}”.`)
    expect(about(id).join()).toContain(`這則訊息由排程「${scheduleName}」產生。`)
    expect(about(byPeople).join()).not.toMatch(/schedule|排程/)
  })

  it('once, if the automatic check that follows does not approve', async () => {
    const id = await createSubmitted(fixture)
    await approveMessage(fixture.services, fixture.producer, id)
    expect(await reasons()).toEqual(['submitted', 'submitted'])
  })

  it('of what the automatic check does not approve, not of what is about to be checked', async () => {
    const id = await createSubmitted(fixture, { categoryId: 'auto' })
    expect(await notices()).toEqual([])
    await approveMessage(fixture.services, fixture.producer, id)
    expect(await reasons()).toEqual(['check_failed', 'check_failed'])
  })

  it('except authors, who may not approve it, and people without notices', async () => {
    await createSubmitted(fixture, {}, fixture.both)
    expect((await notices()).map(({ person_id }) => person_id)).toEqual([fixture.approver.personId])
    const quiet = await fixture.person('Quiet', ['approver'], fixture.unit.id)
    const { email, name } = await selectRow(fixture.db, 'person', { id: quiet.personId }, ['email', 'name'])
    await upsertPerson(fixture.db, { email, name, notices: false })
    await createSubmitted(fixture)
    expect((await notices()).map(({ person_id }) => person_id)).not.toContain(quiet.personId)
  })

  it('of a message to a few people of a group, with the reason in their language', async () => {
    const { personId } = fixture.approver
    await fixture.db.updateTable('person').set({ language: 'en' }).where('id', '=', personId).execute()
    const groups = [await groupOf(fixture, ['student-1', 'student-2'])]
    await createSubmitted(fixture, { audience: { kind: 'query', groups } }, fixture.editor)
    const texts = (await sendAll()).map(({ content }) => read(contentFor(content).text))
    expect(texts).toHaveLength(2)
    expect(texts.join()).toContain('A message to fewer than 5 people needs your approval.')
    expect(texts.join()).toContain('有一則訊息的收件人不到 5 人，須由您核准。')
    expect(texts.join()).not.toMatch(/註冊今天截止|Registration closes/)
  })

  it('of what changed after an approval, each in their language and in the time of the unit', async () => {
    const { db, services, editor, approver } = fixture
    const { personId } = approver
    await db.updateTable('person').set({ language: 'en' }).where('id', '=', personId).execute()
    const list = { name: 'Choir', kind: 'static', legalBasis: 'consent' } as const
    const { id: group } = await createGroup(services, editor, list)
    await changeMembers(services, editor, group, { add: [1, 2, 3, 4, 5, 6].map((n) => `student-${n}`) })
    const id = await createSubmitted(fixture, { audience: { kind: 'query', groups: [group] } })
    await approveMessage(services, approver, id)
    await db.deleteFrom('notice').execute()
    const swap = { remove: ['student-1'], add: ['student-7', 'student-8'] }
    await changeMembers(services, editor, group, swap)
    const at = new Date('2026-11-22T06:30:00Z')
    await db.updateTable('message').set({ snapshot_at: at }).where('id', '=', id).execute()
    await db.updateTable('group_change').set({ at }).where('group_id', '=', group).execute()
    const delivery = { services, senders: {}, drain: { draining: false }, breaker: createCircuitBreaker() }
    expect(await startWave(delivery, id)).toBeNull()
    expect(await reasons()).toEqual(['drift', 'drift'])
    const mails = await sendAll()
    const textTo = (to: string) =>
      read(contentFor(mails.find((mailing) => mailing.to[0]!.subjectId === to)!.content).text).replaceAll(
        '\u202f',
        ' ',
      )
    const english = [
      'The recipients of a message have changed since it was approved. It needs another review.',
      '',
      'Registration closes today',
      'Recipients: 7 (6 as of Nov 22, 2026, 2:30 PM)',
      'Chat: 2 added, 1 removed',
      'Members of the group “Choir”: changed by Editor since Nov 22, 2026, 2:30 PM',
    ]
    expect(textTo(personId)).toContain(english.join('\n'))
    const chinese = [
      '有一則訊息在核准後收件人有變動，已退回，請您重新審核。',
      '',
      '註冊今天截止',
      '收件人數：7（2026年11月22日 下午2:30 時為 6）',
      '聊天：新增 2 人，減少 1 人',
      '群組「Choir」的成員：Editor 自 2026年11月22日 下午2:30 起有更動',
    ]
    expect(textTo(fixture.both.personId)).toContain(chinese.join('\n'))
    for (const { content } of mails) expect(read(contentFor(content).html)).not.toContain('student-')
  })

  it('without the text of a personal message', async () => {
    const by = { ...fixture.producer, individualTargeting: true }
    await createSubmitted(fixture, { audience: { kind: 'individual', uids: ['student-1'] } }, by)
    for (const { content } of await sendAll()) {
      expect(read(contentFor(content).html)).not.toMatch(/註冊今天截止|Registration closes/)
      expect(contentFor(content).subject).not.toMatch(/註冊今天截止|Registration closes/)
    }
  })
})

describe('a version of a template that waits', () => {
  const body = {
    name: '邀請',
    categoryId: 'manual',
    messages: [{ kind: 'text' as const, text: { 'zh-TW': '您好' } }],
  }

  it('is told to approvers once, except its author, with a link to its page', async () => {
    const { db, services, approver, both } = fixture
    await db.updateTable('person').set({ language: 'en' }).where('id', '=', approver.personId).execute()
    const { id } = await createTemplate(services, both, body)
    const mails = await sendAll()
    expect(mails.map(({ to }) => to[0]!.subjectId)).toEqual([approver.personId])
    expect(contentFor(mails[0]!.content).subject).toBe('Approval needed: the template “邀請”')
    expect(read(contentFor(mails[0]!.content).text)).toContain(
      `${publicUrl}/approvals/template/${id}?version=1\n`,
    )
    await createTemplateVersion(services, both, id, body)
    await createTemplateVersion(services, both, id, body)
    expect(await sendAll()).toHaveLength(1)
    expect((await notices()).map(({ state }) => state).sort()).toEqual(['obsolete', 'sent', 'sent'])
  })

  it('is not told once it is decided about', async () => {
    const { services, producer, approver } = fixture
    const { id } = await createTemplate(services, producer, body)
    await approveTemplate(services, approver, id)
    expect(await sendAll()).toEqual([])
  })
})

describe('what is due', () => {
  const hour = 3_600_000
  const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
  /** As if hours had passed: every notice that is waiting is due earlier. */
  const pass = (hours: number) =>
    sql`update notice set next_try_at = next_try_at - make_interval(hours => ${hours})`.execute(fixture.db)

  it('is told again, once, when half of its time has passed', async () => {
    const { approver, db } = fixture
    await db.updateTable('person').set({ language: 'en' }).where('id', '=', approver.personId).execute()
    const id = await createSubmitted(fixture, { scheduleAt: inHours(10) })
    expect(await sendAll()).toHaveLength(2)
    await pass(4)
    expect(await sendAll()).toEqual([])
    await pass(2)
    const mails = await sendAll()
    expect(mails).toHaveLength(2)
    const [mail] = mails.filter(({ to }) => to[0]!.subjectId === approver.personId)
    expect(contentFor(mail!.content).subject).toBe('Approval still needed: Registration closes today')
    expect(read(contentFor(mail!.content).text)).toContain('This message is still waiting. It is due on ')
    expect(read(contentFor(mail!.content).text)).toContain(`/approvals/message/${id}`)
    await pass(10)
    expect(await sendAll()).toEqual([])
  })

  it('is told again before it expires, if it has no time of its own', async () => {
    await createSubmitted(fixture, { expiresAt: inHours(4) })
    await sendAll()
    await pass(3)
    expect(await sendAll()).toHaveLength(2)
  })

  it('is not told again once it is decided about', async () => {
    const id = await createSubmitted(fixture, { scheduleAt: inHours(10) })
    await sendAll()
    await approveMessage(fixture.services, fixture.approver, id)
    await pass(6)
    expect(await sendAll()).toEqual([])
  })

  it('is not told again if it is never due, or within minutes', async () => {
    await createSubmitted(fixture)
    await createSubmitted(fixture, { scheduleAt: inHours(0.1) })
    expect(await notices()).toHaveLength(4)
  })
})

it('a notice is written with the move or not at all', async () => {
  const id = await createDraft(fixture, {
    messages: [{ kind: 'text', text: { 'zh-TW': 'x'.repeat(5_001) } }],
  })
  expect(await codeOf(submitMessage(fixture.services, fixture.producer, id))).toBe('content_violation')
  expect(await notices()).toEqual([])
})

describe('sending', () => {
  it('is retried later, under the same name, until it succeeds', async () => {
    await createSubmitted(fixture)
    const first = await sendAll({ kind: 'unavailable', code: 'timeout', certain: false })
    expect(await notices()).toMatchObject([{ state: 'waiting', code: 'timeout' }, { state: 'waiting' }])
    expect(await sendAll()).toEqual([])
    await nextTry()
    const second = await sendAll()
    const names = (mails: Mailing[]) => mails.map(({ waveId }) => waveId).sort()
    expect(names(second)).toEqual(names(first))
    expect(await notices()).toMatchObject([{ state: 'sent', code: null }, { state: 'sent' }])
  })

  it('arrives in a mailbox; resent after a crash, it bears the same Message-ID', async () => {
    const { port, journal } = await mailbox()
    const from = { name: 'Hub', address: sender }
    const identity = { from, publicUrl, links: linkSigner(Buffer.alloc(32, 7)), dkim: undefined }
    const mail = byMails(createMailSender(mailerTo(port), identity))
    await createSubmitted(fixture, {}, fixture.both)
    const parts = { services: { ...fixture.services, publicUrl }, sender: mail }
    expect(await sendNextNotice(parts)).toBe(true)
    await fixture.db.updateTable('notice').set({ state: 'waiting', next_try_at: new Date() }).execute()
    expect(await sendNextNotice(parts)).toBe(true)
    const [first, again] = await journal()
    expect(first).toMatchObject({ subject: 'Approval needed: Registration closes today', from: sender })
    expect(again!.messageId).toBe(first!.messageId)
  })

  it('ends for a rejected address, with the reason', async () => {
    await createSubmitted(fixture)
    await sendAll({ kind: 'refused', code: 'no_such_mailbox' })
    await nextTry()
    expect(await sendAll()).toEqual([])
    expect(await notices()).toMatchObject([{ state: 'failed', code: 'no_such_mailbox' }, { state: 'failed' }])
  })

  it('is dropped if a decision was made meanwhile', async () => {
    const id = await createSubmitted(fixture)
    await approveMessage(fixture.services, fixture.approver, id)
    expect(await sendAll()).toEqual([])
    expect(await notices()).toMatchObject([{ state: 'obsolete' }, { state: 'obsolete' }])
  })

  it('is shared: a notice taken by one worker is taken by no other', async () => {
    for (let n = 0; n < 3; n++) await createSubmitted(fixture)
    const mails = (await Promise.all([sendAll(), sendAll(), sendAll()])).flat()
    expect(new Set(mails.map(({ waveId }) => waveId)).size).toBe(mails.length)
    expect((await notices()).every(({ state }) => state === 'sent')).toBe(true)
  })
})

it('the worker process sends them, even while Temporal is unavailable, and stops on request', async () => {
  const { port, journal } = await mailbox()
  const worker = await spawnProcess('worker', ['src/worker.ts'], {
    DATABASE_URL: fresh.url,
    TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(port),
    SMTP_SECURITY: 'none',
    MAIL_FROM: `Hub <${sender}>`,
    PUBLIC_URL: publicUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
  })
  onTestFinished(() => worker.stop())
  const id = await createSubmitted(fixture, {}, fixture.both)
  await eventually(async () => {
    expect((await journal())[0]?.headers).toMatchObject({ 'x-carillon-message': id })
    expect(await notices()).toMatchObject([{ state: 'sent' }])
  })
  worker.signal('SIGTERM')
  expect(await worker.exited).toEqual({ code: 0, signal: null })
})
