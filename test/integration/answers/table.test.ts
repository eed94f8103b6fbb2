import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PatternQuestion } from '../../../src/contract/patterns/pattern.ts'
import { insertAnswer } from '../../../src/db/queries/answer/answer.ts'
import { purgeSlice } from '../../../src/services/retention.ts'
import { startApi } from '../../fixtures/api.ts'
import { typeText } from '../../fixtures/conversations.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newPattern } from '../../fixtures/new-pattern.ts'
import { insertPattern, walkOn } from '../../fixtures/patterns.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { forFile } from '../../harness/for-file.ts'

const labelled = (id: string, zh: string, en: string) => ({ id, label: { 'zh-TW': zh, en } })
const questions: PatternQuestion[] = [
  {
    ...{ id: 'join', text: { 'zh-TW': '要報名嗎？', en: 'Would you register?' } },
    options: [labelled('yes', '要', 'Yes'), labelled('no', '不要', 'No')],
  },
  { id: 'wish', text: { 'zh-TW': '=1+1', en: 'Wishes' }, required: false },
]

let patternId: string
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  await sql`update unit set time_zone = 'Asia/Taipei'`.execute(db)
  const pattern = await insertPattern(
    db,
    {
      ...{ questions: JSON.stringify(questions), attendance: 'join' },
      title: JSON.stringify({ 'zh-TW': '迎新：茶會', en: 'Tea' }),
    },
    api.units.a,
  )
  patternId = pattern.id
  const ids: Record<string, string> = {}
  for (const [uid, name] of [
    ['a1', '王小明'],
    ['a2', 'Lin Mei-Hua'],
    ['a3', null],
  ] as const)
    ids[uid] = (await insertRow(db, 'subject', { uid, display_name: name })).id
  const at = new Date('2026-12-01T01:12:40Z')
  const say = async (uid: string, question: string, option_id: string | null, text: string | null = null) =>
    insertRow(db, 'pattern_answer', {
      pattern_id: patternId,
      subject_id: ids[uid]!,
      question,
      option_id,
      text,
      at,
    })
  for (const [uid, place, state] of [
    ['a2', 1, 'registered'],
    ['a1', 2, 'waitlisted'],
  ] as const)
    await insertRow(db, 'registration', { pattern_id: patternId, place, subject_id: ids[uid]!, state, at })
  await say('a2', 'join', 'yes')
  await say('a2', 'wish', null, '=素食')
  // The button of a node that is no question of the author.
  await say('a2', 'manage', 'change')
  await say('a1', 'join', 'yes')
  await say('a1', 'wish', 'skip')
  await say('a3', 'join', 'no')
})

const list = async (query: Record<string, string> = {}) =>
  (await api.call('listPatternAnswers', { key: api.keys.individual, id: patternId, query })).body
const uidsOf = ({ items }: { items: { uid: string | null }[] }) => items.map(({ uid }) => uid)

const table = async (url: string, language: string) => {
  const headers = {
    authorization: `Bearer ${api.keys.individual}`,
    accept: 'text/csv',
    'accept-language': language,
  }
  const { payload, headers: answer } = await api.app.inject({ url, headers })
  return { lines: payload.split('\r\n'), file: String(answer['content-disposition']) }
}

describe('who answered in a pattern', () => {
  it('has a place and what was chosen and typed; after those who asked for a place come the others', async () => {
    expect((await list()).items).toMatchObject([
      {
        ...{ uid: 'a2', displayName: 'Lin Mei-Hua', position: 1, state: 'registered' },
        answers: [
          { question: 'join', optionId: 'yes', text: null },
          { question: 'wish', optionId: null, text: '=素食' },
        ],
      },
      { uid: 'a1', position: 2, state: 'waitlisted' },
      { uid: 'a3', displayName: null, position: null, state: null, answers: [{ optionId: 'no' }] },
    ])
  })

  it('is read page by page, and found by uid, name and state', async () => {
    const uids: (string | null)[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: '1', ...(cursor && { cursor }) })
      uids.push(...uidsOf(page))
      cursor = page.nextCursor
    }
    expect(uids).toEqual(['a2', 'a1', 'a3'])
    expect(uidsOf(await list({ q: 'mei-hua' }))).toEqual(['a2'])
    expect(uidsOf(await list({ q: 'a3' }))).toEqual(['a3'])
    expect(uidsOf(await list({ q: 'nobody' }))).toEqual([])
    expect(uidsOf(await list({ state: 'waitlisted' }))).toEqual(['a1'])
    const query = { cursor: Buffer.from('nonsense').toString('base64url') }
    const bad = await api.call('listPatternAnswers', { key: api.keys.individual, id: patternId, query })
    expect(bad.code).toBe('validation_error')
  })

  it('is a table in the language of its reader, with times of the unit, that a spreadsheet takes for no formula', async () => {
    const chinese = await table(`/v1/patterns/${patternId}/answers`, 'zh-TW')
    expect(chinese.lines).toEqual([
      // The last question is one that the scenario was given besides.
      "\uFEFF順序,編號,姓名,狀態,要報名嗎？,'=1+1,已完成報名,回覆時間（Asia/Taipei）",
      "1,a2,Lin Mei-Hua,有名額,要,'=素食,,2026-12-01 09:12",
      '2,a1,王小明,候補,要,略過,,2026-12-01 09:12',
      ',a3,,,不要,,,2026-12-01 09:12',
      '',
    ])
    expect(decodeURIComponent(chinese.file)).toContain('迎新：茶會 回覆.csv')
    const english = await table(`/v1/patterns/${patternId}/answers`, 'en-GB')
    expect(english.lines.slice(0, 2)).toEqual([
      '\uFEFFOrder,Uid,Name,State,Would you register?,Wishes,已完成報名,Answered (Asia/Taipei)',
      "1,a2,Lin Mei-Hua,has a place,Yes,'=素食,,2026-12-01 09:12",
    ])
    expect(english.file).toBe('attachment; filename="Tea answers.csv"')
  })

  it('has no words of who was erased, nor of anybody past retention', async () => {
    const { db } = api.database
    await api.call('eraseSubject', { key: api.keys.administrative, id: 'a2' })
    const texts = async () =>
      (await sql<{ text: string }>`select text from pattern_answer where text is not null`.execute(db)).rows
    expect([uidsOf(await list()), await texts()]).toEqual([[null, 'a1', 'a3'], []])
    const subject = sql`(select id from subject where uid = 'a3')`
    await sql`update pattern_answer set option_id = null, text = '私事' where subject_id = ${subject}`.execute(
      db,
    )
    expect(await texts()).toHaveLength(1)
    await sql`update pattern set deadline = now() - interval '400 days'`.execute(db)
    await purgeSlice(db, { ...keepAll, RETENTION_RUNS_DAYS: 365 }, new Map())
    expect([uidsOf(await list()), await texts()]).toEqual([[null, null], []])
  })
})

it('what a person types in a survey stands beside their name, and what they type later takes its place', async () => {
  const { database, services } = api
  const { db } = database
  const wishes = [{ id: 'wish', text: { 'zh-TW': '想吃什麼？' } }]
  const design = { type: 'survey' as const, questions: wishes, capacity: undefined, waitingList: undefined }
  const body = newPattern(design)
  const { id, scenarioId } = (await api.call('createPattern', { key: api.keys.a, body })).body
  await api.call('putScenario', { key: api.keys.a, id: scenarioId, body: { state: 'active' } })
  const address = `U${'b'.repeat(32)}`
  await api.call('bindAddress', { key: api.keys.administrative, id: 'typist', body: { address } })
  const subject = sql<{ id: string }>`select id from subject where uid = 'typist'`
  const { id: subjectId } = (await subject.execute(db)).rows[0]!
  const scenario = { id: scenarioId, unitId: api.units.a, categoryId: 'news', version: 1 as const }
  const hearing = { db, parts: { db, log: services.log }, wake: services.wake }
  for (const words of ['菜色太少', '希望有素食']) {
    await walkOn(services, await insertScenarioRun(db, { scenario, subjectId, columns: { node: 'start' } }))
    await typeText(hearing, { address }, words)
    const { items } = (await api.call('listPatternAnswers', { key: api.keys.individual, id })).body
    expect(items).toMatchObject([
      { uid: 'typist', state: null, answers: [{ question: 'wish', text: words }] },
    ])
    await sql`update scenario_run set state = 'done', closed_at = now() where scenario_id = ${scenarioId}`.execute(
      db,
    )
  }
})

describe('who answered a message', () => {
  const asks = (text: string) => ({
    ...{ kind: 'quickReply', text: { 'zh-TW': text } },
    options: [labelled('yes', '好', 'Yes'), labelled('no', '不好', 'No')],
  })
  const ids = async (uid: string) =>
    (await sql<{ id: string }>`select id from subject where uid = ${uid}`.execute(api.database.db)).rows[0]!
      .id
  const answer = async (messageId: string, uid: string, question: string, optionId: string) =>
    insertAnswer(api.database.db, {
      ...{ messageId, subjectId: await ids(uid), question, n: Number(question), o: '0', optionId },
      ...{ data: null, channel: 'chat', at: new Date('2026-12-01T01:12:40Z') },
    })

  it('has a column for each question, also where two have the same options', async () => {
    const { id } = await insertSentMessage(api, { ...newMessage, messages: [asks('中午？'), asks('晚上？')] })
    await answer(id, 's1', '0', 'yes')
    await answer(id, 's1', '1', 'no')
    await answer(id, 's2', '1', 'yes')
    const { body } = await api.call('listMessageAnswers', { key: api.keys.individual, id })
    const at = '2026-12-01T01:12:40.000Z'
    const answerTo = (question: string, optionId: string) => ({
      question,
      optionId,
      data: null,
      channel: 'chat',
      at,
    })
    expect(body.items).toEqual([
      {
        ...{ subjectId: await ids('s1'), uid: 's1', displayName: null, at },
        answers: [answerTo('1', 'yes'), answerTo('2', 'no')],
      },
      {
        ...{ subjectId: await ids('s2'), uid: 's2', displayName: null, at },
        answers: [answerTo('2', 'yes')],
      },
    ])
    const { lines } = await table(`/v1/messages/${id}/answers`, 'zh-TW')
    expect(lines).toEqual([
      '\uFEFF編號,姓名,中午？,晚上？,回覆時間（Asia/Taipei）',
      's1,,好,不好,2026-12-01 09:12',
      's2,,,好,2026-12-01 09:12',
      '',
    ])
    const some = async (query: Record<string, string>) =>
      uidsOf((await api.call('listMessageAnswers', { key: api.keys.individual, id, query })).body)
    expect([await some({ optionId: 'no' }), await some({ q: 's2' })]).toEqual([['s1'], ['s2']])
    const detail = (await api.call('getMessage', { key: api.keys.a, id })).body
    expect([detail.answers, detail.answered]).toEqual([{ yes: 2, no: 1 }, 2])
  })

  it('of a personal one has no words of it for a key that did not write it', async () => {
    const audience = { kind: 'individual', uids: ['s1'] }
    const targeting = { ...api, keys: { ...api.keys, a: api.keys.individual } }
    const { id } = await insertSentMessage(targeting, { ...newMessage, audience, messages: [asks('秘密？')] })
    await answer(id, 's1', '0', 'yes')
    const url = `/v1/messages/${id}/answers`
    expect((await table(url, 'en')).lines[0]).toContain('秘密？')
    const key = await api.newKey(api.units.a, { individualTargeting: true })
    const headers = { authorization: `Bearer ${key}`, accept: 'text/csv', 'accept-language': 'en' }
    const other = await api.app.inject({ url, headers })
    expect(other.payload.split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFUid,Name,Question 1,Answered (Asia/Taipei)',
      's1,,yes,2026-12-01 09:12',
    ])
    expect(other.headers['content-disposition']).not.toContain('%')
  })
})
