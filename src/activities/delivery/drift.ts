import type { Trx } from '../../db/connect.ts'
import { findCompiled } from '../../db/queries/message-content.ts'
import { releaseAll } from '../../db/queries/quota.ts'
import type { Services } from '../../services/context.ts'
import { checkAutomatically } from '../../services/messages/automatic.ts'
import type { CompiledContent } from '../../services/messages/compile.ts'
import { categoryOf } from '../../services/messages/ready.ts'
import { takeSnapshot } from '../../services/messages/snapshot.ts'
import { applyMove, type LockedMessage, wavesOf } from '../../services/move.ts'

/**
 * What was approved is no longer what would be sent: the message goes back to review with a new snapshot and without its
 * reservation, and is checked automatically at once. Its frozen content stays.
 */
export async function drift(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  reason: 'audience' | 'quota',
): Promise<void> {
  const { message } = locked
  const category = await categoryOf(trx, message)
  const compiled = (await findCompiled(trx, message.id)) as CompiledContent
  const content = { compiled, violations: message.snapshot!.violations }
  await releaseAll(trx, ...wavesOf(locked).map(({ id }) => id))
  const snapshot = await takeSnapshot(services, trx, message, category, content, locked.now)
  await applyMove(
    trx,
    locked,
    'drift',
    { actor: 'system:run', reason },
    {
      snapshot: JSON.stringify(snapshot),
      snapshot_at: new Date(locked.now),
      review_drift: true,
      review_reason: null,
    },
  )
  await checkAutomatically(services, trx, locked)
}
