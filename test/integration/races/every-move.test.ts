import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { type MessageState, type Move, messageStates, waveStates } from '../../../src/contract/enums.ts'
import { countStepFailure } from '../../../src/db/queries/run/step-failure.ts'
import type { Position } from '../../../src/domain/message/message-state.ts'
import { legalMoves, stateAfter } from '../../../src/domain/message/moves.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { forFile } from '../../harness/for-file.ts'
import { type Ask, openStage } from './message-fixture.ts'

/** Every row of the table of moves is reached through HTTP, or by the run when a time has come. */

const stage = forFile(openStage)
afterAll(() => stage.api.close())

/** The steps that lead to a state. `runs`: the run's next step. */
type Step =
  | Ask
  | 'starts'
  | 'runs'
  | 'runs, refused'
  | 'runs, recipients rejected'
  | 'send time comes'
  | 'reminder time comes'
  | 'expiry comes'
  | 'audience grows'
  | 'step fails'

const approved: Step[] = ['submit', 'approve']
const withDeliveries: Step[] = [...approved, 'send time comes', 'runs', 'runs']
const begun: Step[] = [...withDeliveries, 'runs']
const parked: Step[] = [...withDeliveries, 'runs, refused']
const sent: Step[] = [...begun, 'runs', 'runs']
const reminding: Step[] = [...sent, 'reminder time comes', 'runs', 'runs', 'runs']
const reminderParked: Step[] = [...sent, 'reminder time comes', 'runs', 'runs', 'runs, refused']

const rows: [Move, from: MessageState, to: MessageState, steps: Step[], note?: string][] = [
  ['edit', 'draft', 'draft', ['edit']],
  ['submit', 'draft', 'submitted', ['submit']],
  ['approve', 'submitted', 'approved', approved],
  ['reject', 'submitted', 'rejected', ['submit', 'reject']],
  ['withdraw', 'submitted', 'draft', ['submit', 'withdraw']],
  ['start', 'approved', 'sending', [...approved, 'send time comes', 'runs']],
  ['drift', 'approved', 'submitted', [...approved, 'send time comes', 'audience grows', 'runs']],
  ['drift', 'sending', 'submitted', [...approved, 'send time comes', 'starts', 'audience grows', 'runs']],
  ['finish', 'sending', 'sent', sent],
  [
    'finish',
    'sending',
    'failed',
    [...withDeliveries, 'runs, recipients rejected', 'runs, recipients rejected', 'runs'],
  ],
  ['finish', 'sending', 'expired', [...withDeliveries, 'expiry comes', 'runs']],
  ['pause', 'approved', 'paused', [...approved, 'pause']],
  ['pause', 'sending', 'paused', [...begun, 'pause']],
  ['resume', 'paused', 'approved', [...approved, 'pause', 'resume']],
  ['resume', 'paused', 'sending', [...begun, 'pause', 'resume']],
  ['cancel', 'draft', 'cancelled', ['cancel']],
  ['cancel', 'submitted', 'cancelled', ['submit', 'cancel']],
  ['cancel', 'approved', 'cancelled', [...approved, 'cancel']],
  ['cancel', 'paused', 'cancelled', [...approved, 'pause', 'cancel']],
  ['cancel', 'sending', 'cancelled', [...withDeliveries, 'cancel']],
  ['stop', 'sending', 'stopped', [...begun, 'stop']],
  ['stop', 'paused', 'stopped', [...begun, 'pause', 'stop']],
  ['expire', 'draft', 'expired', ['expiry comes', 'runs']],
  ['expire', 'submitted', 'expired', ['submit', 'expiry comes', 'runs']],
  ['expire', 'approved', 'expired', [...approved, 'expiry comes', 'runs']],
  ['expire', 'paused', 'expired', [...begun, 'pause', 'expiry comes', 'runs']],
  ['retry', 'approved', 'approved', [...approved, 'step fails', 'retry']],
  ['retry', 'sending', 'sending', [...parked, 'retry']],
  ['skip', 'sending', 'sending', [...parked, 'skip']],
  ['start', 'sent', 'sent', [...sent, 'reminder time comes', 'runs'], 'of a reminder'],
  ['finish', 'sent', 'sent', [...reminding, 'runs', 'runs'], 'of a reminder'],
  ['pause', 'sent', 'sent', [...reminding, 'pause'], 'of a reminder'],
  ['resume', 'sent', 'sent', [...reminding, 'pause', 'resume'], 'of a reminder'],
  ['cancel', 'sent', 'sent', [...sent, 'cancel'], 'of a reminder'],
  ['stop', 'sent', 'sent', [...reminding, 'stop'], 'of a reminder'],
  ['expire', 'sent', 'sent', [...sent, 'expiry comes', 'runs'], 'of a reminder'],
  ['retry', 'sent', 'sent', [...reminderParked, 'retry'], 'of a reminder'],
  ['skip', 'sent', 'sent', [...reminderParked, 'skip'], 'of a reminder'],
]

describe('the table of moves', () => {
  it.each(rows)('%s: %s → %s', async (name, from, to, steps) => {
    const id = await stage.create({ send: 'to come', remind: 'to come', expire: 'to come' })
    for (const step of steps) await happens(id, step)
    const last = await stage.db
      .selectFrom('audit')
      .select(['action', 'from_state', 'to_state'])
      .where('object_id', '=', id)
      .where('to_state', 'is not', null)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(last).toEqual({ action: name, from_state: from, to_state: to })
    expect((await stage.read(id)).state).toBe(to)
  })

  it('has no other row', () => {
    const edge = ([name, from, to]: readonly string[]) => `${name}: ${from} → ${to}`
    expect(new Set(tableEdges().map(edge))).toEqual(new Set(rows.map((row) => edge(row as string[]))))
  })

  it('leaves the ledger exact', async () => {
    const broken = await brokenInvariants(stage.db, { runs: false })
    expect(broken).toEqual([]) // no run observes the row here
  })
})

async function happens(id: string, step: Step): Promise<void> {
  switch (step) {
    case 'starts':
      return stage.start(id)
    case 'runs':
      return stage.step(id, 'accepts')
    case 'runs, refused':
      return stage.step(id, 'rejects account')
    case 'runs, recipients rejected':
      return stage.step(id, 'rejects recipients')
    case 'send time comes':
      return stage.comes(id, 'send')
    case 'reminder time comes':
      return stage.comes(id, 'remind')
    case 'expiry comes':
      return stage.comes(id, 'expire')
    case 'audience grows':
      return audienceGrows()
    case 'step fails':
      return parkStep(id)
    default: {
      const by = step === 'approve' || step === 'reject' ? 'approver' : 'producer'
      expect(`${step} ${await stage.ask(id, by, step)}`).toBe(`${step} ok`)
    }
  }
}

/** Fails the run's step often enough to park the message. */
async function parkStep(id: string): Promise<void> {
  while (!(await countStepFailure(stage.db, { kind: 'message', id })));
}

/** Grows the audience by more than may join without a new review; the subjects stay for later steps. */
async function audienceGrows(): Promise<void> {
  await sql`
    with newcomer as (
      insert into subject (uid, roles) select 'new-' || gen_random_uuid(), '{student}' from generate_series(1, (select greatest(60, count(*)) from subject)) returning id
    ) insert into address (subject_id, channel, address) select id, 'chat', 'U' || id from newcomer
  `.execute(stage.db)
}

/** Every legal move by position and time, and its result. */
function tableEdges(): [Move, MessageState, MessageState][] {
  const results = [
    { sent: 1, unknown: 0, failed: 0, expired: 0 },
    { sent: 0, unknown: 0, failed: 1, expired: 0 },
    { sent: 0, unknown: 0, failed: 0, expired: 1 },
  ]
  return anyPosition().flatMap((position) =>
    [0, 1].flatMap((now) =>
      [...legalMoves(position, now), 'finish' as const].flatMap((name) =>
        results.flatMap((result) => {
          const to = stateAfter(position, name, now, result)
          return to ? [[name, position.state, to] as [Move, MessageState, MessageState]] : []
        }),
      ),
    ),
  )
}

function anyPosition(): Position[] {
  return messageStates.flatMap((state) =>
    (state === 'paused' ? (['approved', 'sending'] as const) : [null]).flatMap((pausedFrom) =>
      [null, ...waveStates].flatMap((reminder) =>
        [true, false].map((claimed) => ({
          state,
          pausedFrom,
          expiresAt: 1,
          reminder,
          claimed,
          parked: true,
        })),
      ),
    ),
  )
}
