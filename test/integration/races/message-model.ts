import type { Move, WaveState } from '../../../src/contract/enums.ts'
import type { Position, WaveResult } from '../../../src/domain/message/message-state.ts'
import { stateAfter as ask } from '../../../src/domain/message/moves.ts'
import type { StoredWave } from '../../../src/domain/message/run-facts.ts'
import { isOpenWave, reminderStateAfter, waveStateAfter } from '../../../src/domain/message/waves.ts'
import { decide } from '../../fixtures/stages.ts'

/** A message as the rules know it: the table of moves and what follows from it, without a database. */
export type Model = {
  position: Pick<Position, 'state' | 'pausedFrom'>
  /** Which of its times it has, and which of them have passed. */
  times: Record<Moment, 'none' | 'to come' | 'past'>
  authors: string[]
  first: WaveModel | null
  reminder: WaveModel | null
}
export type Moment = 'send' | 'remind' | 'expire'

/**
 * The remaining batches by number: their recipients and how often they were deferred. `sent`: the recipients of
 * finished ones.
 */
type WaveModel = {
  state: WaveState
  written: boolean
  reserved: boolean
  left: { people: number; tries: number }[]
  sent: number[]
  skipped: number
  claimed: boolean
  parked: boolean
  probeDue: boolean
  skipRemaining: boolean
}

const now = 1_000
const moments = { past: now, 'to come': now + 1, none: null }

/** The people of each language's batch, by its number. */
const people = [1, 3]

export function draftModel(times: Model['times'], author: string): Model {
  const position = { state: 'draft' as const, pausedFrom: null }
  return { position, times, authors: [author], first: null, reminder: null }
}

function activeWave(model: Model): WaveModel | null {
  return model.position.state === 'sent' ? model.reminder : model.first
}

export function positionIn(model: Model): Position {
  const up = activeWave(model)
  return {
    ...model.position,
    expiresAt: moments[model.times.expire],
    reminder: model.reminder?.state ?? null,
    claimed: up?.claimed ?? false,
    parked: up?.parked ?? false,
  }
}

/** Whether the move is legal. Without `result`, for moves that a caller requests. */
export function permits(model: Model, name: Move): boolean {
  return ask(positionIn(model), name, now) !== null
}

/** The message after a legal move. */
export function afterMove(model: Model, name: Move, result?: WaveResult): Model {
  const to = ask(positionIn(model), name, now, result)!
  const next = structuredClone(model)
  const { state: from } = model.position
  const up = activeWave(next)
  if (up && isOpenWave(up.state)) become(up, waveStateAfter(up.state, name, result))
  if (next.reminder && from !== 'sent') become(next.reminder, reminderStateAfter(next.reminder.state, to))
  next.position = { state: to, pausedFrom: name === 'pause' && to === 'paused' ? (from as 'approved') : null }
  if (name === 'approve') makeWaves(next)
  if (name === 'retry') up!.probeDue = true
  if (name === 'skip') up!.skipRemaining = true
  return next
}

function become(wave: WaveModel, state: WaveState): void {
  wave.state = state
  if (!isOpenWave(state)) Object.assign(wave, { parked: false, probeDue: false })
}

function makeWaves(model: Model): void {
  model.first = newWave('waiting')
  const { remind } = model.times
  if (remind !== 'none') model.reminder = newWave(remind === 'past' ? 'missed' : 'waiting')
}

function newWave(state: WaveState): WaveModel {
  const flags = { claimed: false, parked: false, probeDue: false, skipRemaining: false }
  return { state, written: false, reserved: false, left: [], sent: [], skipped: 0, ...flags }
}

/** What the run would do now. */
async function nextIn({ position, times, ...model }: Model): Promise<string> {
  const up = activeWave({ position, times, ...model })
  const next = await decide(
    {
      state: position.state,
      stepParked: null,
      scheduleAt: moments[times.send],
      remindAt: moments[times.remind],
      expiresAt: moments[times.expire],
      holdUntil: null,
      quiet: null,
      paced: false,
      planned: { chat: 1_000 },
      wave: up && storedOf(up),
    },
    now,
  )
  return 'do' in next ? next.do : 'wait'
}

function storedOf({
  state,
  written: hasDeliveries,
  reserved,
  left,
  parked,
  probeDue,
  skipRemaining,
}: WaveModel): StoredWave {
  const free = parked && !probeDue ? 0 : left.length
  const open = left.length > 0 ? { chat: { free, freeAt: free > 0 ? null : now + 1 } } : {}
  const quotaDueAt = hasDeliveries && !reserved ? now : null
  const problem = parked ? 'provider' : null
  return {
    id: 'w',
    state,
    written: hasDeliveries,
    quotaDueAt,
    parked: problem,
    probes: parked,
    skipRemaining,
    open,
  }
}

/** The message after the run's next step; `provider`: how it answers if it is called. */
export async function afterStep(model: Model, provider: 'accepts' | 'rejects account'): Promise<Model> {
  const next = structuredClone(model)
  const up = activeWave(next)
  switch (await nextIn(model)) {
    case 'resolveAudience':
      return withRows(up!.state === 'sending' ? next : afterMove(model, 'start'))
    case 'reserveQuota':
      up!.reserved = true
      return next
    case 'expireMessage':
      return afterMove(model, 'expire')
    case 'sendWave':
      up!.claimed = true
      up!.parked = provider === 'rejects account'
      up!.probeDue = false
      tryNext(up!, provider)
      return next
    case 'finishWave':
      return up?.state === 'sending' ? finished(next, up) : next
    default:
      return next
  }
}

/** The message once the deliveries of its active wave are written. */
function withRows(model: Model): Model {
  const up = activeWave(model)!
  up.written = true
  up.left = people
    .filter((size) => up === model.first || model.first!.sent.includes(size))
    .map((size) => ({ people: size, tries: 0 }))
  return model
}

/** Tries the batch that was deferred least. */
function tryNext(up: WaveModel, provider: 'accepts' | 'rejects account'): void {
  const batch = up.left.reduce((least, one) => (one.tries < least.tries ? one : least))
  batch.tries += 1
  if (provider === 'rejects account') return
  up.sent.push(batch.people)
  up.left = up.left.filter((one) => one !== batch)
}

function finished(model: Model, up: WaveModel): Model {
  const expired = model.times.expire === 'past' && !up.skipRemaining
  const left = up.left.reduce((sum, batch) => sum + batch.people, 0)
  const sent = up.sent.reduce((sum, size) => sum + size, 0)
  up.left = []
  up.skipped = left
  const lapsed = up.written ? left : 1
  return afterMove(model, 'finish', { sent, unknown: 0, failed: 0, expired: expired ? lapsed : 0 })
}
