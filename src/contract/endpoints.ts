import {
  adminCategoryEndpoints,
  adminEventKeyEndpoints,
  adminKeyEndpoints,
  adminLookupEndpointEndpoints,
  adminPersonEndpoints,
  adminSuppressionEndpoints,
  adminUnitEndpoints,
  adminValueNameEndpoints,
} from './admin/endpoints.ts'
import { waitingApprovalEndpoints } from './approvals.ts'
import { audienceValueEndpoints } from './audience-values.ts'
import { callbackEndpoints } from './callbacks/endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { eventBindingEndpoints, eventEndpoints, recordedEventEndpoints } from './events/endpoints.ts'
import { groupEndpoints } from './groups/endpoints.ts'
import { handoffEndpoints } from './handoffs.ts'
import { oversightEndpoints } from './identity/endpoints.ts'
import { keyEndpoints } from './identity/own-key.ts'
import { signInEndpoints } from './identity/sign-in.ts'
import { mediaEndpoints } from './media.ts'
import { messageEndpoints, messageReads, previewEndpoints } from './messages/endpoints.ts'
import { approvalEndpoints, messageStops } from './messages/moves-endpoints.ts'
import { messageRecords } from './messages/records-endpoints.ts'
import { metricsEndpoints } from './metrics/endpoints.ts'
import { patternEndpoints } from './patterns/endpoints.ts'
import { scenarioEndpoints } from './scenarios/endpoints.ts'
import { runRecords, simulationEndpoints } from './scenarios/records-endpoints.ts'
import { startEndpoints } from './scenarios/start-endpoints.ts'
import { scheduleEndpoints } from './schedules/endpoints.ts'
import { serviceEndpoints } from './service.ts'
import { subjectEndpoints, subjectRecordEndpoints } from './subjects/endpoints.ts'
import { importEndpoints } from './subjects/imports.ts'
import { recipientEndpoints } from './subjects/recipients.ts'
import { catalogueEndpoints, templateEndpoints } from './templates/endpoints.ts'
import { topicEndpoints } from './topics.ts'
import { traceEndpoints } from './trace.ts'
import { webhookEndpoints } from './webhooks.ts'

/**
 * Every operation of the API, by operation id. Served outside this table: /docs, the start page, the pages of approvals and
 * of mail settings, and the pages that mails to recipients link to.
 */
export const endpoints = {
  ...messageEndpoints,
  ...previewEndpoints,
  ...approvalEndpoints,
  ...messageStops,
  ...messageReads,
  ...messageRecords,
  ...traceEndpoints,
  ...audienceValueEndpoints,
  ...mediaEndpoints,
  ...catalogueEndpoints,
  ...templateEndpoints,
  ...keyEndpoints,
  ...scenarioEndpoints,
  ...patternEndpoints,
  ...topicEndpoints,
  ...groupEndpoints,
  ...subjectEndpoints,
  ...subjectRecordEndpoints,
  ...importEndpoints,
  ...recipientEndpoints,
  ...webhookEndpoints,
  ...callbackEndpoints,
  ...simulationEndpoints,
  ...runRecords,
  ...startEndpoints,
  ...scheduleEndpoints,
  ...handoffEndpoints,
  ...oversightEndpoints,
  ...metricsEndpoints,
  ...waitingApprovalEndpoints,
  ...signInEndpoints,
  ...eventEndpoints,
  ...eventBindingEndpoints,
  ...recordedEventEndpoints,
  ...adminUnitEndpoints,
  ...adminPersonEndpoints,
  ...adminKeyEndpoints,
  ...adminEventKeyEndpoints,
  ...adminSuppressionEndpoints,
  ...adminLookupEndpointEndpoints,
  ...adminCategoryEndpoints,
  ...adminValueNameEndpoints,
  ...serviceEndpoints,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type OperationId = keyof Endpoints
