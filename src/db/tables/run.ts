import type { Generated } from 'kysely'
import type { Problem } from '../../contract/enums.ts'
import type { DefaultInstant, MaybeInstant } from './columns.ts'

/** The columns by which a row of any kind is the state of a run. Defined in SQL: src/db/migrations. */
export type RunColumns = {
  closed_at: MaybeInstant
  version: Generated<number>
  observed_version: Generated<number>
  changed_at: DefaultInstant
  next_wakeup_at: MaybeInstant
  woken_at: MaybeInstant
  wake_count: Generated<number>
  wedged_at: MaybeInstant
  /** Failed workflow tasks since `wedged_at`. */
  wedged_failures: Generated<number>
  /** When the reconciler last ended the run because it was wedged. */
  run_restarted_at: MaybeInstant
  problem: Problem | null
  /** Failures of the run's steps since the last one that succeeded. */
  step_failures: Generated<number>
  /** Since when the run waits because its step kept failing. */
  step_parked_at: MaybeInstant
}
