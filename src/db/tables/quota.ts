import type { Generated } from 'kysely'
import type { Channel } from '../../contract/enums.ts'
import type { Month } from './columns.ts'

/** The ledger. Defined in SQL: src/db/migrations. */

export type QuotaTables = {
  quota_default: QuotaDefaultTable
  quota_ledger: QuotaLedgerTable
  quota_reservation: QuotaReservationTable
}

export type QuotaDefaultTable = { scope: string; channel: Channel; monthly_limit: number }

export type QuotaLedgerTable = {
  scope: string
  channel: Channel
  month: Month
  monthly_limit: number
  reserved: Generated<number>
  committed: Generated<number>
}

export type QuotaReservationTable = {
  wave_id: string
  channel: Channel
  unit_id: string
  month: Month
  unit_reserved: Generated<number>
  pool_reserved: Generated<number>
  unit_committed: Generated<number>
  pool_committed: Generated<number>
}
