import { setTimeout as pause } from 'node:timers/promises'
import { Cleared } from '../../channels/cleared.ts'
import { type Channel, channels, isOneOf, type Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Db } from '../../db/connect.ts'
import { findPageRun, type PageRun, type PageTurn } from '../../db/queries/scenario-run/page.ts'
import type { NodeMessages } from '../../domain/scenario/deliverable-channels.ts'

/** What leads to a page: a run, its person, and the turn after whose answer the page stands; 0: after the start. */
export type PageAddress = { runId: string; subjectId: string; after: number }

/** What a conversation has said on a page, as somebody answers for it. */
export type TurnOnPage = { number: number; says: Cleared<NodeMessages[]> }

/**
 * Where a conversation stands on the page of an answer. `moving`: what follows is on its way; `kept`: it still is after a
 * minute, so that the person's own channel will say it. `asks`: the last turn can be answered. `waits`: for a time, a place
 * or people. `passed`: it has gone on since, elsewhere or on a later page.
 */
export type PageState = 'moving' | 'kept' | 'asks' | 'late' | 'waits' | 'ended' | 'passed' | 'expired'

export type ConversationView = {
  unit: string
  category: LocalisedText
  locale: Locale
  is: PageState
  turns: TurnOnPage[]
  /** The question takes a text. */
  takesText: boolean
  /** By what the person gets what does not stand on the page; null: nothing, or they cannot be reached. */
  elsewhere: { channel: Channel; sent: boolean } | null
  /** Something could not be said anywhere. */
  lost: boolean
}

/** How long an answer waits for what follows (ms), and the pauses in which it looks. */
const waitMs = 2_500
const pauses = { firstMs: 40, longestMs: 400 }

/** The page of an answer, once what follows is there, or after some seconds as it stands then. Changes nothing. */
export async function awaitPage(db: Db, address: PageAddress): Promise<ConversationView | null> {
  const until = performance.now() + waitMs
  for (let ms = pauses.firstMs; ; ms = Math.min(ms * 2, pauses.longestMs)) {
    const { view = null } = (await readPage(db, address)) ?? {}
    if (view?.is !== 'moving' || performance.now() >= until) return view
    await pause(ms)
  }
}

/** A page, and the run and turns in which its conversation stands. */
export type ReadPage = { view: ConversationView; run: PageRun; turns: PageTurn[] }

/** Reads a page, through the jumps since its answer. Null: its run or person is gone. */
export async function readPage(db: Db, { runId, subjectId, after }: PageAddress): Promise<ReadPage | null> {
  let run = await findPageRun(db, { runId, subjectId })
  if (!run) return null
  let turns = turnsAfter(run, after)
  const earlier: TurnOnPage[] = []
  for (
    let jumps = 0;
    run.next !== null && jumps <= limits.jumpsInARow && !turns.some(isAnswered);
    jumps += 1
  ) {
    earlier.push(...saidIn(run, turns))
    const next: PageRun | undefined = await findPageRun(db, { runId: run.next, subjectId })
    if (!next) return null
    run = next
    turns = turnsAfter(run, 0)
  }
  return { view: viewOf(run, turns, earlier), run, turns }
}

/** What was chosen at the start is answered once its question was asked. */
function turnsAfter({ opening, turns }: PageRun, after: number): PageTurn[] {
  const from = after === 0 && opening !== null && 'turn' in opening ? opening.turn : after
  return turns.filter(({ number }) => number > from)
}

const isAnswered = ({ answered }: PageTurn) => answered

function viewOf(run: PageRun, turns: PageTurn[], earlier: TurnOnPage[]): ConversationView {
  const { unit, category, locale, content, node } = run
  const is = stateOf(run, turns)
  const hidden = is === 'passed' || is === 'expired'
  const others = turns.filter(({ channel }) => channel !== 'page')
  const [last] = others.slice(-1)
  const channel = last && isOneOf(channels, last.channel) ? last.channel : run.reachedBy
  const names = last !== undefined || is === 'kept' || hidden || is === 'waits'
  return {
    unit,
    category,
    locale,
    is,
    turns: hidden ? [] : [...earlier, ...saidIn(run, turns)],
    takesText: content.edges.some(({ from, when }) => from === node && when?.kind === 'text'),
    elsewhere:
      names && channel ? { channel, sent: last?.state === 'sent' || last?.state === 'unknown' } : null,
    lost: turns.some(({ state }) => state === 'failed' || state === 'skipped'),
  }
}

function stateOf({ fresh, state, unread, justSpoke, node, late }: PageRun, turns: PageTurn[]): PageState {
  if (!fresh) return 'expired'
  if (turns.some(isAnswered)) return 'passed'
  if (state !== 'running' && state !== 'waiting') return 'ended'
  if (state === 'running' || unread) return justSpoke ? 'moving' : 'kept'
  const last = turns.at(-1)
  if (last?.channel !== 'page' || last.lastNode !== node) return 'waits'
  return late ? 'late' : 'asks'
}

function saidIn({ approval }: PageRun, turns: PageTurn[]): TurnOnPage[] {
  return turns.flatMap(({ channel, state, says, number }) => {
    if (channel !== 'page' || state !== 'sent' || says === null) return []
    if (approval) return [{ number, says: Cleared.byApproval(says, approval) }]
    return []
  })
}
