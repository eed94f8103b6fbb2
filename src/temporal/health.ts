import { isGrpcServiceError } from '@temporalio/client'
import type { Health } from '../contract/service.ts'
import { registerSearchAttributes, type Temporal } from './client.ts'

/** gRPC codes of a server that did not answer in time: DEADLINE_EXCEEDED, UNAVAILABLE. */
const silent: readonly number[] = [4, 14]

/**
 * Whether runs can start. Asks as each process does before its first wake: a server that answers, but knows neither the
 * namespace nor the caller, or lacks search attributes and does not take them, is one with a wrong setting.
 */
export async function temporalHealth(temporal: Temporal): Promise<Health['temporal']> {
  try {
    await registerSearchAttributes(temporal)
    return 'ok'
  } catch (error) {
    return isSilence(error) ? 'down' : 'misconfigured'
  }
}

/** `cause`: why search attributes could not be added. */
function isSilence(error: unknown): boolean {
  const { cause = error } = error as { cause?: unknown }
  return [error, cause].some((one) => isGrpcServiceError(one) && silent.includes(one.code))
}
