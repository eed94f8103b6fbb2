import type { DecisionReason } from '../../contract/enums.ts'
import type { ErrorCode } from '../../contract/errors.ts'

/** Why a call is refused: the error it answers. Calls throw it, and `allowed` shows it (services/refuse.ts). */
export type Refusal = { code: ErrorCode; message: string; details?: unknown; reason?: DecisionReason }

/** `true` if the action is possible now, otherwise the error that it would return. */
export type Verdict = true | { code: ErrorCode; message: string; reason?: DecisionReason | undefined }
