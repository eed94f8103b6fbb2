import type { ErrorCode } from '../contract/errors.ts'

/** Why a call is refused: the error it answers. Calls throw it, and `allowed` shows it (services/refuse.ts). */
export type Refusal = { code: ErrorCode; message: string; details?: unknown }
