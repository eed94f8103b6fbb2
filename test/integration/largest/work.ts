import { MockActivityEnvironment } from '@temporalio/testing'
import { sql } from 'kysely'
import { createActivities } from '../../../src/activities/index.ts'
import { backgroundTasks } from '../../../src/background/tasks.ts'
import type { Temporal } from '../../../src/temporal/client.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { byCall, byMails } from '../../fixtures/senders.ts'
import type { World } from './world.ts'

/** What a worker does, by its name: tasks and activities, each about the largest there is. */
export type Work = Record<string, () => Promise<unknown>>

/** Accepts every call, and has the worker begin nothing after it: one call is what is measured. */
function provider() {
  const drain = { draining: false }
  const accepted = { kind: 'accepted' as const }
  const send = async () => {
    drain.draining = true
    return accepted
  }
  return { drain, send, mailSender: byMails(async ({ to }) => to.map(() => accepted)) }
}

/** A server that takes every wake and has nothing to tell: what is measured is Postgres. */
const temporal = {
  connection: {
    workflowService: {
      describeTaskQueue: async () => ({ stats: { approximateBacklogCount: 0 }, pollers: [] }),
      listWorkflowExecutions: async () => ({ executions: [], nextPageToken: [] }),
    },
  },
  client: { workflow: { signalWithStart: async () => {} } },
  namespace: 'largest',
  withDeadline: <T>(_ms: number, work: () => Promise<T>) => work(),
} as unknown as Temporal

/** Everything is past its retention. */
const keepNothing = Object.fromEntries(Object.keys(keepAll).map((name) => [name, 1e-9])) as typeof keepAll

/** One round of each background task. */
export function tasksOf({ api: { services } }: World): Work {
  const { send, drain, mailSender } = provider()
  const { sayReply } = createActivities({ services, senders: { chat: byCall(send) }, drain })
  const availability = { isAvailable: async () => true, recheck: () => {} }
  const tasks = backgroundTasks({
    services,
    runs: { db: services.db, temporal, availability, log: services.log },
    wedged: { restart: false, release: 'test' },
    retention: keepNothing,
    sayReply,
    mailSender,
  })
  const rounds = tasks.map(({ name, run, finish }) => {
    const round = async () => {
      await run()
      await finish?.()
    }
    return [name, round] as const
  })
  return Object.fromEntries(rounds)
}

/** Each activity; a new one is a type error here. */
export function activitiesOf({ api: { services }, planted, submitted, api, as, costed }: World) {
  const { send, drain } = provider()
  const { main, channel, lookup } = createActivities({ services, senders: { chat: byCall(send) }, drain })
  const within = new MockActivityEnvironment()
  const { scheduleId, runId, sendingId, sendingWaveId, fullId } = planted
  const approved = async () => {
    const id = await submitted()
    await api.call('approveMessage', { ...as.approver, id })
    await sql`update message set schedule_at = now(), hold_until = null where id = ${id}`.execute(costed.db)
    return id
  }
  /** Prepares the arguments of an activity, which then runs within the context of one. */
  const visit =
    <Args extends unknown[]>(activity: (...args: Args) => Promise<unknown>, prepare: () => Promise<Args>) =>
    async () => {
      const args = await prepare()
      return () => within.run(() => activity(...args))
    }
  const visits: Record<
    keyof typeof main | keyof typeof channel | keyof typeof lookup,
    () => Promise<() => Promise<unknown>>
  > = {
    readMessage: visit(main.readMessage, async () => [sendingId] as [string]),
    applyOperatorMove: visit(
      main.applyOperatorMove,
      async () => [await submitted(), 'cancel', null] as [string, 'cancel', null],
    ),
    expireMessage: visit(main.expireMessage, async () => [await submitted()] as [string]),
    resolveAudience: visit(main.resolveAudience, async () => [await approved()] as [string]),
    reserveQuota: visit(main.reserveQuota, async () => [sendingId] as [string]),
    finishWave: visit(main.finishWave, async () => [fullId] as [string]),
    advanceRun: visit(main.advanceRun, async () => [runId] as [string]),
    applyRunRequest: visit(main.applyRunRequest, async () => [runId, 'retry'] as [string, 'retry']),
    readSchedule: visit(main.readSchedule, async () => [scheduleId] as [string]),
    makeOccurrence: visit(main.makeOccurrence, async () => {
      await sql`update schedule set next_at = now(), plan = plan + 1 where id = ${scheduleId}`.execute(
        costed.db,
      )
      return [scheduleId] as [string]
    }),
    applyScheduleRequest: visit(
      main.applyScheduleRequest,
      async () => [scheduleId, 'retry'] as [string, 'retry'],
    ),
    sendSlice: visit(channel.sendSlice, async () => [sendingWaveId, 'chat'] as [string, 'chat']),
    sendSmallWave: visit(channel.sendSmallWave, async () => [sendingId, 'chat'] as [string, 'chat']),
    sayTurn: visit(channel.sayTurn, async () => {
      await sql`
        insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says, next_try_at)
        select id, 2, 'ask', 'ask', subject_id, unit_id, false, 'zh-TW', ${JSON.stringify(says)}, now()
        from scenario_run where id = ${runId}`.execute(costed.db)
      return [runId] as [string]
    }),
    lookUp: visit(lookup.lookUp, async () => [runId] as [string]),
  }
  return visits
}

const says = [{ node: 'ask', messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }] }]
