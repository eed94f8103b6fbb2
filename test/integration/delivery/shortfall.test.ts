import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approvalPage } from '../../../src/api/console/approvals/page.ts'
import { renderPage } from '../../../src/api/console/kit/page.ts'
import { drawTop } from '../../../src/cli/draw-top.ts'
import { readTop } from '../../../src/cli/top-snapshot.ts'
import { sumFailedSends } from '../../../src/db/queries/delivery/shortfall.ts'
import type { PersonPrincipal } from '../../../src/domain/rights/principal.ts'
import { messageKind } from '../../../src/services/approvals/messages.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { sendNextAuthorNotice } from '../../../src/services/notices/send.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { forSends, type ScriptedDelivery, withScriptedProvider } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { logLines } from '../../fixtures/log-lines.ts'
import { createSubmitted } from '../../fixtures/message-fixture.ts'
import { sendNotices } from '../../fixtures/notice-mails.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { updateRows } from '../../fixtures/rows.ts'

/** Messages have no graph. */
const noPicture = () => Promise.reject(new Error('nothing is laid out'))

const { database, shared } = forSends()
let fixture: ScriptedDelivery
let author: PersonPrincipal
let approver: PersonPrincipal
const { log, lines } = logLines()
beforeAll(async () => {
  author = shared.editor
  approver = await shared.person('陳文彥', ['approver'], shared.unit.id)
  await database.db.updateTable('person').set({ language: 'en' }).where('id', '=', author.personId).execute()
})
const newProvider = () => {
  fixture = withScriptedProvider(shared)
  fixture.delivery.services = { ...fixture.services, log }
}
beforeEach(async () => {
  newProvider()
  await database.db.deleteFrom('author_notice').execute()
  await sql`update wave set shortfall = null`.execute(database.db)
})

/** A message to this many people that a person wrote and another approved; the provider refuses the first calls. */
async function sent(people: number, refused = Number.POSITIVE_INFINITY): Promise<string> {
  const tags = [await addRecipients(database.db, people)]
  const parts = { categoryId: 'chats', audience: { kind: 'query' as const, tags } }
  const id = await createSubmitted(fixture, parts, author)
  await approveMessage(fixture.services, approver, id)
  await database.db.deleteFrom('author_notice').execute() // that it was approved
  let calls = 0
  fixture.provider.always((to) => {
    if (to.length > 1) return { kind: 'refused', code: 'rejected' }
    calls += 1
    return calls <= refused ? { kind: 'refused', code: 'rejected' } : undefined
  }, 10_000)
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'end' })
  return id
}

const read = (id: string) => getMessage(fixture.services, author, id)

const mails = () => sendNotices(sendNextAuthorNotice, fixture.services)

describe('a send that reached nobody', () => {
  it('is told at once to its author and to its approver, each in their language, with numbers and reasons', async () => {
    await sent(24)
    const told = await mails()
    const byPerson = new Map(told.map(({ to, content }) => [to[0]!.subjectId, contentFor(content)]))
    expect([...byPerson.keys()].sort()).toEqual([author.personId, approver.personId].sort())
    const [toAuthor, toApprover] = [byPerson.get(author.personId)!, byPerson.get(approver.personId)!]
    expect(toAuthor.subject).toBe('Send failed: Registration closes today')
    expect(toAuthor.text.join('')).toContain('has ended and reached 0 of 24 people. Why:')
    expect(toAuthor.text.join('')).toContain('Chat: 24, rejected by the provider (rejected)')
    expect(toApprover.subject).toBe('發送失敗：註冊今天截止')
    expect(toApprover.text.join('')).toContain('應收到的 24 人中，只有 0 人收到')
    expect(toApprover.text.join('')).toContain('聊天：24 則，服務商拒絕 (rejected)')
    expect(toApprover.text.join('')).toContain('您核准了這則訊息')
  })

  it('is a warning in the log, with the codes and nobody’s id', async () => {
    const id = await sent(24)
    const line = lines.find(({ messageId, level }) => messageId === id && level === 40)
    expect(line).toMatchObject({
      ...{ people: 24, reached: 0, failed: 24 },
      reasons: [{ channel: 'chat', reason: 'rejected', deliveries: 24 }],
    })
    expect(Object.keys(line!)).not.toContain('uid')
  })

  it('is named on its page, with the reason, and who approved it when', async () => {
    const id = await sent(24)
    const view = await messageKind.view(fixture.services, approver, id)
    expect(renderPage(await approvalPage('zh-TW', view, { layoutOf: noPicture, queue: [] }))).toMatch(
      /發送失敗，0 人收到（服務商拒絕）。陳文彥於 .*\d\d:\d\d 核准。/,
    )
    expect(renderPage(await approvalPage('en', view, { layoutOf: noPicture, queue: [] }))).toMatch(
      /The send failed: it reached 0 \(rejected by the provider\)\. 陳文彥 approved it at .*\d\d:\d\d\./,
    )
  })

  it('is shown by carillon top and message show, which alone names whom it did not reach', async () => {
    const id = await sent(24)
    const drawn = drawTop(await readTop(database.db, 'Asia/Taipei'), { columns: 160, rows: 40 }).join('\n')
    expect(drawn).toContain('FAILED     1 send within the last hour reached too few')
    expect(drawn).toContain(`${id}  reached 0 of 24: chat rejected 24`)
    const output = await runCarillon({ DATABASE_URL: database.url }, 'message', 'show', id, '--json')
    const { shortfall, failed } = JSON.parse(output.out)
    expect(shortfall).toMatchObject({ people: 24, reached: 0 })
    const { rows } = await sql<{ uid: string }>`
      select uid from subject join delivery on subject_id = subject.id join wave on wave.id = wave_id
      where message_id = ${id}`.execute(database.db)
    const uids = new Set(rows.map(({ uid }) => uid))
    expect(failed).toHaveLength(20)
    for (const one of failed) expect(uids.has(one.uid)).toBe(true)
    for (const uid of uids) expect(drawn).not.toContain(uid)
  })

  it('is told of one person as well', async () => {
    const id = await sent(1)
    expect(await read(id)).toMatchObject({ state: 'failed', shortfall: { people: 1, reached: 0 } })
    expect(await mails()).toHaveLength(2)
  })
})

it('a send of fewer than 20 people that missed some has no shortfall', async () => {
  expect((await read(await sent(19, 10))).shortfall).toBeUndefined()
})

describe('a send of 20 people or more', () => {
  it('that reached fewer than half has a shortfall, though it is sent', async () => {
    const id = await sent(24, 13)
    expect(await read(id)).toMatchObject({ state: 'sent', shortfall: { people: 24, reached: 11 } })
  })

  it('that missed a tenth tells its author how many, and not to send it to all again', async () => {
    const id = await sent(30, 3)
    expect(await read(id)).toMatchObject({ state: 'sent', shortfall: { people: 30, reached: 27 } })
    const told = await mails()
    const toAuthor = contentFor(told.find(({ to }) => to[0]!.subjectId === author.personId)!.content)
    expect(toAuthor.subject).toBe('Not everyone reached: Registration closes today')
    expect(toAuthor.text.join('')).toContain('did not reach 3 of 30 people. Why:')
    expect(toAuthor.text.join('')).toContain('Chat: 3, rejected by the provider (rejected)')
    expect(toAuthor.text.join('')).toContain('write a message to them alone')
    const toApprover = contentFor(told.find(({ to }) => to[0]!.subjectId === approver.personId)!.content)
    expect(toApprover.subject).toBe('部分未送達：註冊今天截止')
    expect(toApprover.text.join('')).toContain('應收到的 30 人中，有 3 人沒有收到')
    const view = await messageKind.view(fixture.services, approver, id)
    expect(renderPage(await approvalPage('en', view, { layoutOf: noPicture, queue: [] }))).toMatch(
      /It was sent and did not reach 3 of 30 \(rejected by the provider\)\. 陳文彥 approved it at/,
    )
  })

  it('that missed a tenth alerts no operator: one that reached fewer than half does', async () => {
    await sent(30, 3)
    expect(await sumFailedSends(database.db)).toMatchObject({ sends: 1, alerted: 0 })
    newProvider()
    await sent(24, 13)
    expect(await sumFailedSends(database.db)).toMatchObject({ sends: 2, alerted: 1 })
  })

  it('that missed less than a tenth has none', async () => {
    const id = await sent(31, 3)
    expect((await read(id)).shortfall).toBeUndefined()
    expect(await mails()).toEqual([])
  })
})

it('a person who switched the mails off is not told', async () => {
  const quiet = await fixture.person('Quiet', ['editor'], fixture.unit.id)
  await updateRows(database.db, 'person', { id: quiet.personId }, { author_notices: ['rejected'] })
  author = quiet
  await sent(2)
  author = fixture.editor
  expect((await mails()).map(({ to }) => to[0]!.subjectId)).toEqual([approver.personId])
})
