import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type MessageState, messageStates, type WaveState, waveStates } from '../../../src/contract/enums.ts'
import { isShown, shownAt, shownReminder, shownState } from '../../../src/db/queries/shown-state.ts'
import { reminderAt, stateAt } from '../../../src/domain/message/shown-state.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const fresh = forFile(freshDatabase)

type Read = {
  state: MessageState
  reminder: WaveState | null
  expiresAt: Date | null
  now: Date
  shown: MessageState
  isSubmitted: boolean
  shownReminder: WaveState | null
}

it('the rule in SQL is the rule in TypeScript, for every state on both sides of every expiry', async () => {
  const { rows } = await sql<Read>`
    select m.state, r.state as reminder, m.expires_at as "expiresAt", ${shownAt} as now,
      ${shownState('m')} as shown, ${isShown('m', 'submitted')} as "isSubmitted", ${shownReminder('m', 'r')} as "shownReminder"
    from unnest(${[...messageStates]}::text[]) as its (state)
      cross join unnest(${[null, ...waveStates]}::text[]) as r (state)
      cross join unnest('{null, -1 day, -1 ms, 0, 1 ms, 1 day}'::interval[]) as away (from_now)
      cross join lateral (
        select its.state, date_trunc('milliseconds', ${shownAt}) + away.from_now as expires_at) as m`.execute(
    fresh.db,
  )
  expect(rows).toHaveLength(messageStates.length * (waveStates.length + 1) * 6)
  const wrong = rows.filter(({ state, reminder, expiresAt, now, ...read }) => {
    const stored = { state, reminder, expiresAt: expiresAt?.getTime() ?? null }
    const at = now.getTime()
    const stateByRule = stateAt(stored, at)
    if (read.isSubmitted !== (stateByRule === 'submitted')) return true
    return read.shown !== stateByRule || read.shownReminder !== reminderAt(stored, at)
  })
  expect(wrong).toEqual([])
  const changed = rows.filter(({ state, shown: stateNow }) => state !== stateNow)
  expect([...new Set(changed.map(({ state }) => state))]).toEqual([
    'draft',
    'submitted',
    'approved',
    'paused',
  ])
})
