import { describe, expect, it } from 'vitest'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { makeConversation, option, text, typeText } from '../../fixtures/conversations.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { waitForRunEnd } from '../../fixtures/run-waits.ts'
import { scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(() => openWorkingRuns(1_000))

/** Asks what the person wants to know, by a text or by an option, and says these texts then. */
function askingThen(...texts: string[]): ScenarioContent {
  const says = texts.map((zh, at) => ({
    id: `say${at}`,
    kind: 'message' as const,
    messages: [text(zh)],
  }))
  const ids = [...says.map(({ id }) => id), 'end']
  return {
    nodes: [
      {
        ...{ id: 'ask', kind: 'question', timeoutSeconds: 3_600, saveAs: 'wish' },
        message: { kind: 'buttons', text: { 'zh-TW': '想問什麼？' }, actions: [option('fees', '學費')] },
      },
      ...says,
      { id: 'end', kind: 'end' },
    ],
    edges: [
      ...(['text', 'otherwise', 'timeout'] as const).map((kind) => ({
        from: 'ask',
        to: ids[0]!,
        when: { kind },
      })),
      ...says.map(({ id: from }, at) => ({ from, to: ids[at + 1]! })),
    ],
  }
}

/** A run that waits for an answer to its question. */
async function runAtQuestion(content: ScenarioContent) {
  const run = await makeConversation(runs, content)
  runs.wake('scenario', run.id, [{ name: 'started' }])
  await untilAsked(run.id)
  return run
}

const untilAsked = (id: string) =>
  eventually(async () => expect(await scenarioRunRow(runs.db, id)).toMatchObject({ state: 'waiting' }))

/** What the person was sent since a number of messages: texts, and the alternative texts of others. */
async function saidTo({ address }: { address: string }, from = 0): Promise<string[]> {
  const items = (await runs.chat.journal()).filter(({ to, status }) => to.includes(address) && status === 200)
  const messages = items.flatMap(({ messages }) => messages as { text?: string; altText?: string }[])
  return messages.slice(from).map((one) => one.text ?? one.altText ?? '')
}

async function answersOf(runId: string) {
  const rows = runs.db.selectFrom('scenario_answer').select(['option_id', 'text'])
  return rows.where('run_id', '=', runId).execute()
}

const tooLong = '長'.repeat(5_000)
const refusal = expect.stringContaining('可能是太長了')

describe('an answer that the next text cannot repeat', () => {
  it.each([
    ['at once', ['您想問：{{ wish }}']],
    ['after another text', ['謝謝', '您想問：{{ wish }}']],
  ])('is asked for again in words, where the text follows %s', async (_, texts) => {
    const run = await runAtQuestion(askingThen(...texts))
    expect(await typeText(runs, run, tooLong)).toBe('answered')
    await eventually(async () =>
      expect(await saidTo(run, 1)).toEqual([refusal, expect.stringContaining('想問什麼？')]),
    )
    await untilAsked(run.id)
    expect(await answersOf(run.id)).toEqual([])
    expect(await scenarioRunRow(runs.db, run.id)).toMatchObject({ node: 'ask', reason: null, variables: {} })
    expect(await typeText(runs, run, '獎學金')).toBe('answered')
    await waitForRunEnd(runs, run.id, 'done')
    expect((await saidTo(run, 3)).join()).toBe(texts.join().replace('{{ wish }}', '獎學金'))
    expect(await answersOf(run.id)).toEqual([{ option_id: null, text: '獎學金' }])
    expect(await brokenInvariants(runs.db)).toEqual([])
  })

  it('may be an option the second time, as the question says them again', async () => {
    const run = await runAtQuestion(askingThen('您想問：{{ wish }}'))
    await typeText(runs, run, tooLong)
    await eventually(async () => expect(await saidTo(run)).toHaveLength(3))
    await untilAsked(run.id)
    expect(await typeText(runs, run, '學費')).toBe('answered')
    await waitForRunEnd(runs, run.id, 'done')
    expect((await saidTo(run)).at(-1)).toBe('您想問：fees')
  })
})

describe('a run that fails', () => {
  const failure = '不好意思，這項服務目前出了點問題，沒辦法繼續。請稍後再試一次。'

  it('tells its person so, once, if they wait for what follows their answer', async () => {
    const run = await runAtQuestion(askingThen('謝謝', '{{ nothing }}'))
    await typeText(runs, run, '獎學金')
    await waitForRunEnd(runs, run.id, 'failed')
    expect(await saidTo(run, 1)).toEqual(['謝謝', failure])
    expect(await scenarioRunRow(runs.db, run.id)).toMatchObject({ node: 'say1', reason: 'missing_variable' })
    expect(await brokenInvariants(runs.db)).toEqual([])
  })

  it('tells them in their language', async () => {
    const run = await runAtQuestion(askingThen('{{ nothing }}'))
    const { subject_id: id } = await scenarioRunRow(runs.db, run.id)
    await runs.db.updateTable('subject').set({ locale: 'en' }).where('id', '=', id!).execute()
    await typeText(runs, run, '獎學金')
    await waitForRunEnd(runs, run.id, 'failed')
    expect(await saidTo(run, 1)).toEqual([expect.stringContaining('Sorry, something went wrong here')])
  })

  it('says nothing to whom it has only told something', async () => {
    const content = askingThen('{{ nothing }}')
    const run = await runAtQuestion(content)
    const over = { deadline: new Date(Date.now() - 1_000) }
    await runs.db.updateTable('scenario_run').set(over).where('id', '=', run.id).execute()
    runs.wake('scenario', run.id, [{ name: 'answered' }])
    await waitForRunEnd(runs, run.id, 'failed')
    expect(await saidTo(run)).toHaveLength(1)
  })
})
