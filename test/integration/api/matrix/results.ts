import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../../src/contract/endpoints.ts'
import type { CallResponse } from '../../../fixtures/call.ts'
import type { CallerName } from './callers.ts'

const done = '409 invalid_transition'
const unknown = '404 not_found'

/**
 * The responses to the matrix' objects and examples other than success: the message is a draft, and names are
 * invented.
 */
const others: Partial<Record<OperationId, string>> = {
  createMessage: '201',
  createSchedule: '201',
  copyMessage: '201',
  testSendMessage: '400 validation_error',
  // Its example answers a question that the object's graph does not have.
  simulateScenario: '400 validation_error',
  approveMessage: done,
  rejectMessage: done,
  withdrawMessage: done,
  pauseMessage: done,
  resumeMessage: done,
  stopMessage: done,
  retryMessage: done,
  approveTemplate: done,
  rejectTemplate: done,
  approveEventBinding: done,
  rejectEventBinding: done,
  approveScenario: done,
  rejectScenario: done,
  withdrawScenario: done,
  startRuns: done,
  startTestRun: '400 validation_error',
  adminEditUnit: unknown,
  adminListMembers: unknown,
  adminChangeRoles: unknown,
  adminEditPerson: unknown,
  adminCreateKey: unknown,
  adminRevokeKey: unknown,
  adminCreateEventKey: unknown,
  adminRevokeEventKey: unknown,
  adminLiftSuppression: unknown,
  adminCreateLookupEndpoint: unknown,
  adminDeleteLookupEndpoint: unknown,
  adminEditCategory: unknown,
  adminSetQuota: unknown,
}

/** Operations that can be done once: the first caller does it, later ones come too late. */
const once: OperationId[] = [
  'submitMessage',
  'cancelMessage',
  'createEventBinding',
  'cancelRun',
  'closeHandoff',
]

/** The results of authorised callers, in the order of their calls. */
export function resultOf(id: OperationId, caller: CallerName): string {
  if (once.includes(id) && caller !== 'key') return done
  return others[id] ?? successOf(id)
}

export function successOf(id: OperationId): string {
  const { answers }: Endpoint = endpoints[id]
  return Object.keys(answers)[0]!
}

/** A response in short: the status, and the code of an error. */
export function summarise({ status, code }: CallResponse): string {
  return code === null ? `${status}` : `${status} ${code}`
}
