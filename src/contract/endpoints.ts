import type { Endpoint } from './endpoint.ts'
import { catalogueEndpoints } from './endpoints/catalogue.ts'
import { approvalEndpoints } from './endpoints/message-approval.ts'
import { previewEndpoints } from './endpoints/message-preview.ts'
import { messageReads } from './endpoints/message-reads.ts'
import { messageStops } from './endpoints/message-stops.ts'
import { messageEndpoints } from './endpoints/messages.ts'
import { recipientEndpoints } from './endpoints/recipients.ts'
import { serviceEndpoints } from './endpoints/service.ts'
import { subjectEndpoints } from './endpoints/subjects.ts'

/**
 * Every operation that is served, by its operation id. What is not here does not exist, but for /docs, which shows it, and
 * the pages behind the links in mails.
 */
export const endpoints = {
  ...messageEndpoints,
  ...previewEndpoints,
  ...approvalEndpoints,
  ...messageStops,
  ...messageReads,
  ...catalogueEndpoints,
  ...subjectEndpoints,
  ...recipientEndpoints,
  ...serviceEndpoints,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type OperationId = keyof Endpoints
