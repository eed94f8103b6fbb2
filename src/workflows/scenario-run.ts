import type { RunReading } from '../activities/scenario/run-reading.ts'
import type { RunState } from '../contract/enums.ts'
import type { Standing } from '../domain/scenario/advance.ts'
import {
  applyRunRequest,
  channelActivities,
  localActivities,
  lookupActivities,
  readActivities,
} from './activities.ts'
import { openRun, type Run } from './run.ts'
import { scenarioView } from './scenario-view.ts'

/**
 * The conversation of a scenario with one person, from its start to its end. `advanceRun` moves it along the graph as far as
 * it goes by itself, and answers at what it stands: an answer holds words and ways that are personal, and so does the way
 * behind a question, so that the graph is walked there and not here. Returns the state in which it ended; null: it is gone.
 */
export async function scenarioRun(id: string): Promise<RunState | null> {
  const run = openConversation(id)
  return run.carryOut(async () => {
    let talk = await run.read()
    while (talk && talk.at !== 'ended') {
      await takeFurther(run, talk)
      talk = await run.read()
    }
    return talk?.state ?? null
  })
}

/** A conversation that stands at this. */
type At<Stand extends Standing['at']> = Extract<RunReading, { at: Stand }>
type Waiting = Exclude<RunReading, At<'turn' | 'lookup' | 'ended'>>

/** Does what a conversation stands at. */
function takeFurther(run: Conversation, talk: Exclude<RunReading, At<'ended'>>): Promise<void> {
  switch (talk.at) {
    case 'turn':
      return sayTurn(run, talk)
    case 'lookup':
      return lookUp(run, talk)
    case 'answer':
      return awaitAnswer(run, talk)
    case 'handoff':
      return awaitHandoff(run, talk)
    default:
      return awaitWhatHolds(run, talk)
  }
}

/** Says what it has to say: in the worker of this run while the channel is quick, otherwise by the queue of the channel. */
async function sayTurn(run: Conversation, { channel, quick, unitId }: At<'turn'>): Promise<void> {
  const what = run.announce(
    `saying the next messages ${channel === 'page' ? 'on the page' : `by ${channel}`}`,
  )
  // A page calls no provider: it is never left to a queue.
  if (channel === 'page') return run.useReading(await run.locally(what).sayTurn(run.id, channel))
  const reading = quick ? await run.locally(what).sayTurn(run.id, channel) : null
  run.useReading(reading ?? (await run.on(channel, unitId, what).sayTurn(run.id)))
}

/** Asks a producer's system, which has 5 s to answer. */
function lookUp(run: Conversation, { unitId }: At<'lookup'>): Promise<void> {
  return run.lookups(unitId, run.announce('asking the endpoint of a Lookup, for at most 5 s')).lookUp(run.id)
}

/** Waits for the person, until the time-out of the question: `answered` tells that they have written or tapped. */
function awaitAnswer(run: Conversation, { until }: Waiting): Promise<void> {
  return run.wait(held.answer, until)
}

/** Waits until the person's unit closes the handoff, or until its time-out. */
function awaitHandoff(run: Conversation, { until }: Waiting): Promise<void> {
  return run.wait(held.handoff, until)
}

/** Waits for its time, a place, or what holds its next messages back. */
function awaitWhatHolds(run: Conversation, { at, until }: Waiting): Promise<void> {
  return run.wait(held[at], until)
}

const held: Record<Waiting['at'], string> = {
  answer: 'an answer',
  handoff: 'a person of the unit to close the handoff',
  place: 'a place of the pattern',
  time: 'its time',
  resume: 'a person to resume the scenario',
  retirement: 'its end, because the scenario is retired',
  provider: 'the provider',
  quota: 'quota',
  'quiet hours': 'the end of the quiet hours',
  pendingEvents: 'what the person did in time to be read',
  retry: 'the next retry of a step that keeps failing',
  rendering: 'steps of rendering: the unit has used up those of the last minute',
}

/** The run of a conversation, with the activities of its steps. */
export type Conversation = Run<RunReading> & {
  locally: typeof localActivities
  on: typeof channelActivities
  lookups: typeof lookupActivities
}

function openConversation(id: string): Conversation {
  const run = openRun<'scenario', RunReading>({
    kind: 'scenario',
    id,
    idleMs: 1_000,
    read: (why, told) => readActivities(why).advanceRun(id, told),
    view: scenarioView,
    // There is nothing to skip in a conversation with one person.
    requests: { retryParked: 'Try now what a provider or a quota holds back.' },
    apply: (requested) => applyRunRequest(id, requested),
  })
  return { ...run, locally: localActivities, on: channelActivities, lookups: lookupActivities }
}
