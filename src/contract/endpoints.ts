import type { Endpoint } from './endpoint.ts'
import { adminCategoryEndpoints } from './endpoints/admin/categories.ts'
import { adminKeyEndpoints } from './endpoints/admin/keys.ts'
import { adminPersonEndpoints } from './endpoints/admin/persons.ts'
import { adminUnitEndpoints } from './endpoints/admin/units.ts'
import { callbackEndpoints } from './endpoints/callbacks.ts'
import { catalogueEndpoints } from './endpoints/catalogue.ts'
import { eventBindingEndpoints } from './endpoints/event-bindings.ts'
import { eventEndpoints } from './endpoints/events.ts'
import { groupEndpoints } from './endpoints/groups.ts'
import { importEndpoints } from './endpoints/imports.ts'
import { approvalEndpoints } from './endpoints/message-approval.ts'
import { previewEndpoints } from './endpoints/message-preview.ts'
import { messageReads } from './endpoints/message-reads.ts'
import { messageStops } from './endpoints/message-stops.ts'
import { messageEndpoints } from './endpoints/messages.ts'
import { oversightEndpoints } from './endpoints/oversight.ts'
import { recipientEndpoints } from './endpoints/recipients.ts'
import { serviceEndpoints } from './endpoints/service.ts'
import { signInEndpoints } from './endpoints/sign-in.ts'
import { subjectRecordEndpoints } from './endpoints/subject-records.ts'
import { subjectEndpoints } from './endpoints/subjects.ts'
import { templateEndpoints } from './endpoints/templates.ts'
import { topicEndpoints } from './endpoints/topics.ts'
import { webhookEndpoints } from './endpoints/webhooks.ts'

/**
 * Every operation that is served, by its operation id. What is not here does not exist, but for /docs, which shows
 * it, the start page, and the pages behind the links in mails.
 */
export const endpoints = {
  ...messageEndpoints,
  ...previewEndpoints,
  ...approvalEndpoints,
  ...messageStops,
  ...messageReads,
  ...catalogueEndpoints,
  ...templateEndpoints,
  ...topicEndpoints,
  ...groupEndpoints,
  ...subjectEndpoints,
  ...subjectRecordEndpoints,
  ...importEndpoints,
  ...recipientEndpoints,
  ...webhookEndpoints,
  ...callbackEndpoints,
  ...oversightEndpoints,
  ...signInEndpoints,
  ...eventEndpoints,
  ...eventBindingEndpoints,
  ...adminUnitEndpoints,
  ...adminPersonEndpoints,
  ...adminKeyEndpoints,
  ...adminCategoryEndpoints,
  ...serviceEndpoints,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type OperationId = keyof Endpoints
