import type { SignalName } from '../../src/domain/run/signals.ts'
import { askedFor, conversation, makeConversation, pressByLink } from '../fixtures/conversations.ts'
import { insertMessageRows, type MessagePlan, makeMove } from '../fixtures/message-rows.ts'
import { updateRows } from '../fixtures/rows.ts'
import {
  waitForClosed,
  waitForObserved,
  waitForRunAt,
  waitForRunEnd,
  waitForRunTimer,
  waitForState,
  waitForTimer,
} from '../fixtures/run-waits.ts'
import type { RunsFixture } from '../fixtures/runs.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../fixtures/scenario-rows.ts'
import { seedCategory } from '../fixtures/seed.ts'
import { eventually } from '../harness/eventually.ts'
import { messagePaths, pauseAndResume } from './message-paths.ts'
import { scenarioPaths } from './scenario-paths.ts'

type Live = (runs: RunsFixture) => Promise<string>

/**
 * Lives that are told as text (test/histories/lives), by their names. Those of other paths are recorded alone. What waits for
 * a time waits for an hour, which then comes at once: however slow the machine is, it has begun to wait.
 */
export const lives: Record<'message' | 'scenario', Record<string, Live>> = {
  message: {
    async 'approved at once, to one person'(runs) {
      const id = await insertMessageRows(runs.db, { recipients: 1 })
      runs.wake('message', id, [{ name: 'approved' }])
      return waitForClosed(runs, id)
    },
    'approved by a person, to 3,000': messagePaths.sent!,
    async 'scheduled, by chat and mail to 1,200, and reminded'(runs) {
      const plan = { recipients: 1_200, channels: ['chat', 'email'], sendIn: hourMs, remindIn: 2 * hourMs }
      const id = await insertMessageRows(runs.db, { ...plan, state: 'submitted' } as MessagePlan)
      runs.wake('message', id, [{ name: 'submitted' }])
      await waitForObserved(runs, id)
      await makeMove(runs.db, id, 'approve')
      await waits(runs, id, 'approved')
      await comes(runs, 'schedule_at', id)
      await waitForState(runs, id, 'sent')
      await waitForTimer(runs, id)
      await comes(runs, 'remind_at', id)
      return waitForClosed(runs, id)
    },
    rejected: messagePaths.rejected!,
    'withdrawn to be edited, submitted again, and rejected': messagePaths.withdrawn!,
    async 'expired while it waited for an approval'(runs) {
      const id = await insertMessageRows(runs.db, { state: 'submitted', expireIn: hourMs })
      await comes(runs, 'expires_at', await waits(runs, id, 'submitted'))
      return waitForClosed(runs, id)
    },
    'cancelled by the API': messagePaths['cancelled-while-waiting']!,
    'cancelled by Request Cancellation': messagePaths['operator-cancel']!,
    'paused in the middle of a wave, and resumed': messagePaths['paused-and-resumed']!,
    'paused in its reminder, and resumed': pausedInReminder,
    'parked, and retried': messagePaths['parked-then-sent']!,
    'back to review, and approved again': messagePaths['drifted-back-to-review']!,
  },
  scenario: {
    'a question, answered': scenarioPaths['scenario-answered']!,
    'a question, answered by mail': answeredByMail,
    'a question, answered on a page': scenarioPaths['scenario-answered-on-page']!,
    'a Lookup that is answered': scenarioPaths['scenario-looked-up']!,
    'a Lookup that fails': scenarioPaths['scenario-lookup-failed']!,
    'a turn that cannot be told, and its branch for errors': scenarioPaths['scenario-error-edge']!,
    'handed over to a person': scenarioPaths['scenario-handed-over']!,
    async 'a question, not answered in time'(runs) {
      const { id } = await makeConversation(runs, askedFor(hourMs / 1_000))
      runs.wake('scenario', id, [{ name: 'started' }])
      await waitForRunAt(runs, id, 'ask', 'waiting')
      await waitForRunTimer(runs, id)
      await runs.db.updateTable('scenario_run').set({ deadline: new Date() }).where('id', '=', id).execute()
      runs.wake('scenario', id, [{ name: 'overdue' }])
      return waitForRunEnd(runs, id, 'done')
    },
  },
}

const hourMs = 3_600_000

/** Waits until the run of a message waits for a time in this state. Returns the id. */
async function waits(
  runs: RunsFixture,
  id: string,
  told: SignalName<'message'>,
  state: string = told,
): Promise<string> {
  runs.wake('message', id, [{ name: told }])
  await waitForState(runs, id, state)
  await waitForTimer(runs, id)
  return id
}

/** Makes a time come for which the run waits. */
async function comes(
  runs: RunsFixture,
  time: 'schedule_at' | 'remind_at' | 'expires_at',
  id: string,
): Promise<void> {
  await updateRows(runs.db, 'message', { id }, { [time]: new Date() })
  runs.wake('message', id, [{ name: 'overdue' }])
}

async function pausedInReminder(runs: RunsFixture): Promise<string> {
  const id = await insertMessageRows(runs.db, { remindIn: hourMs })
  await waits(runs, id, 'approved', 'sent')
  await runs.chat.fault({ delayMs: 300, times: 100 })
  const sent = (await runs.acceptedOf(id)).length
  await runs.db.updateTable('message').set({ remind_at: new Date() }).where('id', '=', id).execute()
  runs.wake('message', id, [{ name: 'overdue' }])
  await eventually(async () => {
    if ((await runs.acceptedOf(id)).length === sent) throw new Error('no reminder yet')
  })
  return pauseAndResume(runs, id)
}

/** Asked by mail, and answered by the button in it: what follows repeats the answer, so that it comes by mail as well. */
async function answeredByMail(runs: RunsFixture): Promise<string> {
  await seedCategory(runs.db, 'letters', { channels: ['email'] })
  const scenario = await insertScenario(runs.db, { categoryId: 'letters', content: conversation })
  const id = await insertScenarioRun(runs.db, { scenario, columns: { node: 'hello' } })
  const { subject_id: subjectId } = await scenarioRunRow(runs.db, id)
  const address = { subject_id: subjectId!, channel: 'email' as const, address: `${id}@example.edu` }
  await runs.db.insertInto('address').values(address).execute()
  runs.wake('scenario', id, [{ name: 'started' }])
  await waitForRunAt(runs, id, 'ask', 'waiting')
  await pressByLink(runs, id, { n: 1, o: '0' })
  return waitForRunEnd(runs, id, 'done')
}
