import { sql } from 'kysely'
import type { Approval } from '../../../domain/rights/approval.ts'

/**
 * The approval of a message (`m`) in force, from the audit log, which outlives the text: the last decision about its
 * content. Null: nothing was approved, or it was submitted again, or has drifted, since.
 */
export const currentApproval = sql<Approval | null>`(
        select case when action = 'approve'
          then jsonb_build_object('of', 'message', 'id', m.id, 'version', version, 'by', actor) end
        from audit where object_kind = 'message' and object_id = m.id::text
          and action in ('approve', 'submit', 'drift')
        order by id desc limit 1)`
