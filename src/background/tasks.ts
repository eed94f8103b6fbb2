import { deleteExpiredSignatures } from '../db/queries/event/event.ts'
import { deleteIdleCallers } from '../db/queries/rate/rate.ts'
import { deleteAbandonedImports } from '../db/queries/subject/import-chunk.ts'
import type { Services } from '../services/context.ts'
import { settleNextEvent } from '../services/events/settle.ts'
import { closeSilentHandoffs } from '../services/handoffs/close.ts'
import { writeNextChunk } from '../services/imports/write-chunk.ts'
import { purgeNextMedia } from '../services/media/purge.ts'
import {
  closeNextNights,
  countAllPeople,
  countNextPattern,
  countNextReads,
  rollUpNextWaves,
} from '../services/metrics/roll-up.ts'
import {
  type NoticeDeps,
  sendNextAuthorNotice,
  sendNextHandoffNotice,
  sendNextNotice,
} from '../services/notices/send.ts'
import { wakePatternRuns } from '../services/patterns/wake-runs.ts'
import type { Retention } from '../services/retention.ts'
import { admitNextRuns } from '../services/scenario-runs/admit-runs.ts'
import { endNextStart } from '../services/scenario-runs/end-starts.ts'
import { retireNextRuns } from '../services/scenario-runs/retire-runs.ts'
import { completeNextErasure } from '../services/subjects/erase.ts'
import { processNextWebhookEvent } from '../services/webhooks/process-event.ts'
import { restartEndedRuns, wakeOverdueRuns } from '../temporal/reconciler.ts'
import type { WakeDeps } from '../temporal/wake.ts'
import type { WedgedPolicy } from '../temporal/wedged-runs.ts'
import { callbackDeliver } from './callback-deliver.ts'
import type { Task } from './poll-loop.ts'
import { retentionPurge } from './retention-purge.ts'

/** What the tasks depend on. */
type TaskDeps = {
  services: Services
  runs: WakeDeps
  wedged: WedgedPolicy
  retention: Retention
  /** Says the next reply in a handoff; undefined if no chat is configured. Returns false if none is due. */
  sayReply: (() => Promise<boolean>) | undefined
  /** Undefined if no mail server is configured; no notices are sent then. */
  mailSender: NoticeDeps['sender'] | undefined
}

type Store = Pick<Services, 'db' | 'log'>

/** All background tasks; every worker process starts each of them. */
export function backgroundTasks({
  services,
  runs,
  wedged,
  retention,
  sayReply,
  mailSender,
}: TaskDeps): Task[] {
  const { secrets } = services
  return [
    runWake(runs, wedged),
    runRestart(runs),
    webhookApply(services),
    eventSettle(services),
    signaturePurge(services),
    importWrite(services),
    erasureComplete(services),
    runAdmit(services),
    scenarioRetire(services),
    startEnd(services),
    waveRollUp(services),
    readCount(services),
    nightClose(services),
    peopleCount(services),
    patternCount(services),
    handoffClose(services),
    ...(sayReply ? [replySend(sayReply)] : []),
    patternWake(services),
    ...(mailSender ? [noticeSend({ services, sender: mailSender })] : []),
    ...(secrets ? [callbackDeliver({ ...services, secrets })] : []),
    retentionPurge(services, retention),
    mediaPurge(services),
    ratePurge(services),
  ]
}

/** Wakes the runs that have not observed their row in time, which repairs every lost wake and every wedged run. */
export function runWake(parts: WakeDeps, wedged: WedgedPolicy): Task {
  return { name: 'run-wake', everyMs: 500, afterFailureMs: 2_000, run: wakeOverdueRuns(parts, wedged) }
}

/** Restarts the runs that were ended in Temporal while their messages are open. */
function runRestart(parts: WakeDeps): Task {
  return { name: 'run-restart', everyMs: 5_000, run: restartEndedRuns(parts) }
}

/**
 * Applies the webhook events that the process which took them has left: what waited in the line of its address, and what
 * came while it was busy. Polls often, because a recipient who taps is watching the screen; in lanes, because after a large
 * send thousands tap within a minute.
 */
export function webhookApply(services: Store & Pick<Services, 'replyChat' | 'wake'>): Task {
  return { name: 'webhook-apply', everyMs: 100, lanes: 4, run: () => processNextWebhookEvent(services) }
}

/** Settles recorded events without an outcome. In lanes, because one that waits for a lock takes seconds to fail. */
export function eventSettle(services: Services): Task {
  return { name: 'event-settle', everyMs: 1_000, lanes: 4, run: () => settleNextEvent(services) }
}

/** Deletes signatures that are past their replay window of ten minutes. */
export function signaturePurge({ db }: Store): Task {
  return { name: 'signature-purge', everyMs: 10_000, run: () => deleteExpiredSignatures(db) }
}

/** Writes imports, one chunk a round, and deletes abandoned ones. */
export function importWrite(services: Store): Task {
  const run = async () =>
    (await writeNextChunk(services)) || deleteAbandonedImports(services.db).then(nothingLeft)
  return { name: 'import-write', everyMs: 1_000, run }
}

/** Completes erasures: removes what work in flight has written about erased subjects since. */
export function erasureComplete(services: Store): Task {
  return { name: 'erasure-complete', everyMs: 2_000, run: () => completeNextErasure(services) }
}

/**
 * Lets runs that stand in line begin, as many as are worked off. Polls often, because a person may be waiting; twice as
 * often, another unit's message beside a burst of starts took 4 times as long as alone instead of 2.4.
 */
function runAdmit(services: Store & Pick<Services, 'wake'>): Task {
  return { name: 'run-admit', everyMs: 200, run: () => admitNextRuns(services) }
}

/** Ends the open runs of retired scenarios, a slice a round. */
export function scenarioRetire(services: Store & Pick<Services, 'wake'>): Task {
  return { name: 'scenario-retire', everyMs: 2_000, run: () => retireNextRuns(services) }
}

/** Counts the conversations of large starts, and tells of those that failed with too many. */
function startEnd(services: Store): Task {
  return { name: 'start-end', everyMs: 2_000, run: () => endNextStart(services) }
}

/** Adds finished waves to the numbers of their units. Often, so that a send shows within seconds. */
export function waveRollUp(services: Store): Task {
  return { name: 'wave-rollup', everyMs: 2_000, run: () => rollUpNextWaves(services) }
}

/** Counts who has read what, a message once however many have read it since the last round. */
function readCount(services: Store): Task {
  return { name: 'read-count', everyMs: 10_000, run: () => countNextReads(services) }
}

/** Counts the days that are over in the time zones of their units. */
export function nightClose(services: Store): Task {
  return { name: 'night-close', everyMs: 60_000, run: () => closeNextNights(services) }
}

/**
 * Counts all people by source, stage and interest, every few minutes. Asks more often whether it is time, so that the
 * first people of an installation are counted soon.
 */
function peopleCount(services: Store): Task {
  return { name: 'people-count', everyMs: 30_000, run: () => countAllPeople(services) }
}

/** Counts who was invited by patterns and went to the end, each pattern every few minutes. */
function patternCount(services: Store): Task {
  return { name: 'pattern-count', everyMs: 60_000, run: () => countNextPattern(services) }
}

/** Closes handoffs in which nothing was said for a day. */
function handoffClose(services: Store & Pick<Services, 'wake'>): Task {
  return { name: 'handoff-close', everyMs: 10_000, run: () => closeSilentHandoffs(services) }
}

/**
 * Says replies in handoffs. Polls often, because the person is waiting; in lanes, because a provider may answer late.
 */
export function replySend(run: () => Promise<boolean>): Task {
  return { name: 'reply-send', everyMs: 500, lanes: 4, run }
}

/** Wakes the runs of people who got a place of a pattern, and those whose pattern has another deadline. */
function patternWake(services: Store & Pick<Services, 'wake'>): Task {
  return { name: 'pattern-wake', everyMs: 1_000, run: () => wakePatternRuns(services) }
}

/**
 * Sends notices about handoffs, then to approvers, and then to authors. In lanes, because a mail server that does not
 * answer blocks a lane for half a minute.
 */
export function noticeSend(parts: NoticeDeps): Task {
  const run = async () =>
    (await sendNextHandoffNotice(parts)) || (await sendNextNotice(parts)) || sendNextAuthorNotice(parts)
  return { name: 'notice-send', everyMs: 2_000, lanes: 2, run }
}

/** Deletes pictures that no content has named for a month. */
export function mediaPurge(services: Pick<Services, 'db' | 'media'>): Task {
  return { name: 'media-purge', everyMs: 3_600_000, run: () => purgeNextMedia(services) }
}

/** Deletes the rate windows of idle callers. */
function ratePurge({ db }: Store): Task {
  return { name: 'rate-purge', everyMs: 60_000, run: () => deleteIdleCallers(db).then(nothingLeft) }
}

const nothingLeft = () => false
