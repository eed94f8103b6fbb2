import { expect } from 'vitest'
import { directory } from '../../../dev/demo/directory.ts'
import type { ScenarioRunDetail } from '../../../src/contract/scenarios/records.ts'
import { eventually } from '../../harness/eventually.ts'

type Played = { api: string; simulator: string; targetingKey: string; tourScenarioId: string }

/** A person's phone in the chat simulator, as a visitor of its page uses it. */
export function phone(simulator: string, address: string) {
  const act = async (action: object) => {
    const answer = await fetch(`${simulator}/phones/${address}/actions`, {
      method: 'POST',
      body: JSON.stringify(action),
    })
    expect(await answer.json()).toMatchObject({ status: 200 })
  }
  const markup = async () =>
    ((await (await fetch(`${simulator}/phones/${address}`)).json()) as { markup: string }).markup
  return {
    say: (text: string) => act({ kind: 'say', text }),
    /** Waits until a text has come as often as this. */
    sees: (text: string, times = 1) =>
      eventually(async () => expect((await markup()).split(text).length).toBeGreaterThan(times)),
    /** Taps the newest button or option with this label. */
    async tap(label: string) {
      const buttons = [...(await markup()).matchAll(/data-tap="([^"]*)"[^>]*>(.*?)<\/button>/gs)]
      const [, data] = buttons.findLast(([, , content]) => content!.includes(label)) ?? []
      expect(data, label).toBeDefined()
      await act({
        kind: 'tap',
        data: data!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
        displayText: label,
      })
    },
  }
}

/** Plays the scenario of the demo on two phones: all the way in Chinese, and to an answer that is not found in English. */
export async function playTheTour({ api, simulator, targetingKey, tourScenarioId }: Played): Promise<void> {
  const reader = (locale: string) => directory().find((entry) => entry.locale === locale && entry.chat)!
  const [chinese, english] = [reader('zh-TW'), reader('en')]
  const [left, right] = [phone(simulator, chinese.chat!), phone(simulator, english.chat!)]

  await left.say('導覽')
  await left.sees('您想哪一天來')
  await left.tap('星期六')
  await left.sees('還有 12 個名額')
  await left.tap('好，幫我報名')
  await left.sees('有什麼想先告訴導覽員的嗎')
  await left.say('需要輪椅')
  await left.sees('已為您報名。星期六（12/5） 10:00，總圖書館正門見！')
  expect(await ended(chinese.uid)).toMatchObject({
    state: 'done',
    answers: [
      { node: 'day', optionId: 'sat' },
      { node: 'join', optionId: 'yes' },
      { node: 'note', text: '需要輪椅' },
    ],
    path: ['day', 'places', 'free', 'join', 'note', 'mark', 'thanks', 'over'].map((node) => ({ node })),
  })

  await right.say('Tour')
  await right.sees('Which day suits you?')
  await right.say('Friday')
  await right.sees('We found no tour on that day.')
  expect(await ended(english.uid, 1)).toMatchObject({
    state: 'done',
    path: ['day', 'places', 'unknown', 'again'].map((node) => ({ node })),
  })
  await right.sees('Which day suits you?', 2)
  await right.tap('Saturday')
  await right.sees('Shall we register you?')

  /** A run of a person once it is over: the newest, or that many before it. */
  async function ended(uid: string, before = 0): Promise<ScenarioRunDetail> {
    const get = async <T>(path: string) => {
      const answer = await fetch(api + path, { headers: { authorization: `Bearer ${targetingKey}` } })
      return (await answer.json()) as T
    }
    return eventually(async () => {
      const { items } = await get<{ items: { id: string }[] }>(
        `/v1/scenarios/${tourScenarioId}/runs?uid=${uid}`,
      )
      const run = await get<ScenarioRunDetail>(`/v1/runs/${items[before]!.id}`)
      expect(run.endedAt).not.toBeNull()
      return run
    })
  }
}
