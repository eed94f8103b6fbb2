import { type RawBuilder, sql } from 'kysely'
import type { SkipReason } from '../../domain/audience.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import type { Db, Trx } from '../connect.ts'
import { type GateSpec, gateJoins, verdict } from './audience/gates.ts'

export type Rechecked = {
  open: { subjectId: string; address: string }[]
  fallen: { subjectId: string; reason: SkipReason }[]
}

/**
 * Reads consent, preferences, blocks and addresses of a batch's pending members again, right before a call's first
 * try, by the same verdict that chose them (but for the frequency cap). Somebody who is gone has no consent and no
 * address any more.
 */
export async function recheck(
  db: Db | Trx,
  waveId: string,
  channel: Channel,
  batch: number,
  spec: GateSpec,
): Promise<Rechecked> {
  const { rows } = await recheckQuery(waveId, channel, batch, spec).execute(db)
  return {
    open: rows.flatMap(({ subjectId, address, reason }) =>
      reason ? [] : [{ subjectId, address: address! }],
    ),
    fallen: rows.flatMap(({ subjectId, reason }) => (reason ? [{ subjectId, reason }] : [])),
  }
}

type MemberRow = { subjectId: string; address: string | null; reason: SkipReason | null }

/** Materialized: for a few hundred members Postgres would otherwise start a parallel worker, once per batch. */
export function recheckQuery(
  waveId: string,
  channel: Channel,
  batch: number,
  rules: GateSpec,
): RawBuilder<MemberRow> {
  const spec = { ...rules, frequencyCap: null }
  return sql`
    with person as materialized (
      select subject_id as id from delivery
      where wave_id = ${waveId} and channel = ${channel} and batch = ${batch} and state = 'pending'
    )
    select person.id as "subjectId", ${sql.ref(`${channel}_address`)}.address, ${verdict(spec, channel)} as reason
    from person
      ${gateJoins(spec, [channel])}
    order by person.id`
}
