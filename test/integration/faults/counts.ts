import { inFullCounts } from '../../harness/timeouts.ts'
import { type Fault, type FaultName, faults } from './faults.ts'

type Counts<Name extends FaultName> = (typeof faults)[Name]['small' | 'full']

/** The counts of this run. */
export function countsOf<Name extends FaultName>(name: Name): Counts<Name> {
  const { small, full }: Pick<Fault, 'small' | 'full'> = faults[name]
  return (inFullCounts ? full : small) as Counts<Name>
}

/** A fault test takes as long as its waits together; the limit only ends one that hangs. */
export const patient = { timeout: 3_600_000 }
