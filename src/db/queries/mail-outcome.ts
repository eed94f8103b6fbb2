import { sql } from 'kysely'
import type { Db, Trx } from '../connect.ts'
import type { CallState } from '../tables.ts'
import { type Claim, inMs, ours } from './batch.ts'
import { thisCall } from './call.ts'

/** One member of a mail batch, as a try left them. */
export type ToldMember = {
  subjectId: string
  address: string
  state: 'sent' | 'failed' | 'unknown'
  reason: string | null
}

/** How one try of a mail batch came out. `told` is everybody for whom it settled anything. */
export type MailEnding = {
  part: number
  call: CallState
  told: ToldMember[]
  /** Members whom this call costs on the ledger: those who were accepted or stayed unclear. */
  paid: ToldMember[]
  /** Somebody is left: the batch goes back, and is free again after so many ms. Null: it is done. */
  againAfterMs: number | null
  code: string | null
}

/**
 * Writes the outcomes of a mail batch in one statement: each recipient's on their row, the sums on the batch, and on the
 * call only those whom it costs. False: the claim is no longer ours, and nothing was written.
 */
export async function endMail(db: Db | Trx, claim: Claim, ending: MailEnding): Promise<boolean> {
  const { waveId, channel, number } = claim
  const { told, paid, part, code, againAfterMs } = ending
  const count = (state: ToldMember['state']) => told.filter((member) => member.state === state).length
  const { numAffectedRows } = await sql`
    with mine as materialized (select from batch where ${ours(claim)} for no key update),
    called as (
      update call
      set state = ${ending.call}, unclear = false, tries = tries + 1, code = ${code},
        subject_ids = ${paid.map(({ subjectId }) => subjectId)}::uuid[],
        addresses = ${paid.map(({ address }) => address)}::text[]
      from mine where ${thisCall(claim, part)}
    ),
    told as (
      update delivery set state = member.state, reason = member.reason
      from mine, unnest(${told.map(({ subjectId }) => subjectId)}::uuid[], ${told.map(({ state }) => state)}::text[],
        ${told.map(({ reason }) => reason)}::text[]) as member (subject_id, state, reason)
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number}
        and delivery.subject_id = member.subject_id and delivery.state = 'pending'
    )
    update batch
    set state = ${againAfterMs === null ? 'done' : 'open'}, lease_until = null, not_before = ${inMs(againAfterMs ?? 0)},
      sent = sent + ${count('sent')}::integer, failed = failed + ${count('failed')}::integer,
      unknown = unknown + ${count('unknown')}::integer, pushes = pushes + ${paid.length}::integer
    from mine where ${ours(claim)}
  `.execute(db)
  return numAffectedRows === 1n
}
