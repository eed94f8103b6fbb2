import { type RawBuilder, sql } from 'kysely'
import type { HistoryEntry } from '../../../domain/audience.ts'
import { isId } from '../../../domain/id.ts'

type Of<Kind extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: Kind }>

/** To whom one of these happened, as a query of `subject_id`: each kind is one look for all of its entries. */
export function withHistory(entries: HistoryEntry[], unitId: string): RawBuilder<unknown> {
  const of = <Kind extends HistoryEntry['kind']>(kind: Kind) =>
    entries.filter((entry): entry is Of<Kind> => entry.kind === kind)
  const [receipts, answers, registrations] = [of('received'), of('answered'), of('registered')]
  const looks = [
    ...(receipts.length > 0 ? [received(receipts, unitId)] : []),
    ...(answers.length > 0 ? [answered(answers, unitId)] : []),
    ...(registrations.length > 0 ? [registered] : []),
  ]
  return sql.join(
    looks,
    sql`
          union`,
  )
}

/** It was sent to them, or may have been. */
function received(entries: Of<'received'>[], unitId: string): RawBuilder<unknown> {
  const ids = entries.map(({ messageId }) => messageId).filter(isId)
  return sql`
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any(${ids}::uuid[]) and message.unit_id = ${unitId}
          and delivery.state in ('sent', 'unknown')`
}

/** They pressed something in it; with an option id, something of this name. */
function answered(entries: Of<'answered'>[], unitId: string): RawBuilder<unknown> {
  const asked = entries.filter(({ messageId }) => isId(messageId))
  const ids = asked.map(({ messageId }) => messageId)
  const options = asked.map(({ optionId }) => optionId ?? null)
  return sql`
          select answer.subject_id
          from unnest(${ids}::uuid[], ${options}::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = ${unitId}
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)`
}

/** There is nothing yet that anybody could have registered for. */
const registered = sql`
          select null::uuid as subject_id where false`
