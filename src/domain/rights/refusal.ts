import type { DecisionReason } from '../../contract/enums.ts'
import type { ErrorCode } from '../../contract/errors.ts'

/** Why a call is refused: the error it answers. Calls throw it, and `allowed` shows it (services/refuse.ts). */
export type Refusal = { code: ErrorCode; message: string; details?: unknown; reason?: DecisionReason }

/** Whether an action is possible now; if not, the error that it would return. */
export type Verdict =
  | { allowed: true; code?: undefined; message?: undefined; reason?: undefined }
  | { allowed: false; code: ErrorCode; message: string; reason?: DecisionReason | undefined }

/** The verdict that a refusal is, or that there is none. */
export function verdictOf(refusal: Refusal | null): Verdict {
  if (!refusal) return { allowed: true }
  const { code, message, reason } = refusal
  return { allowed: false, code, message, ...(reason && { reason }) }
}
