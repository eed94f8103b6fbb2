import { keysOf } from '../../contract/enums.ts'
import { MessageDelivery } from '../../contract/messages/records.ts'
import { messageAnswersOf } from '../../services/answers/message.ts'
import { nameOrganisers } from '../../services/answers/organisers.ts'
import type { Services } from '../../services/context.ts'
import { approveMessage } from '../../services/messages/approve.ts'
import { copyMessage } from '../../services/messages/copy.ts'
import { createMessage } from '../../services/messages/create.ts'
import { editMessage } from '../../services/messages/edit.ts'
import { dryRun } from '../../services/messages/prepare.ts'
import { previewMessage } from '../../services/messages/preview.ts'
import { getMessage, listMessages } from '../../services/messages/read.ts'
import { deliveriesOf, listMessageDeliveries } from '../../services/messages/records.ts'
import { submitMessage } from '../../services/messages/submit.ts'
import { testSend } from '../../services/messages/test-send.ts'
import {
  cancelMessage,
  pauseMessage,
  rejectMessage,
  resumeMessage,
  retryMessage,
  stopMessage,
  withdrawMessage,
} from '../../services/messages/transitions.ts'
import { dryRunUnsaved, previewUnsaved } from '../../services/messages/unsaved.ts'
import { readMessageTrace } from '../../services/trace/read.ts'
import { sendAnswers } from '../answer-table.ts'
import { sendCsv, wantsCsv } from '../csv.ts'
import { versionIn } from '../plugins/etag.ts'
import type { Handlers } from '../serve.ts'

const deliveryTable = { name: 'deliveries', columns: keysOf(MessageDelivery.shape) }

/** Message intents (docs/api/messages.md). */
export function messageHandlers(services: Services) {
  return {
    createMessage: async ({ principal, headers, body, reply }) => {
      const message = await createMessage(services, principal, headers['idempotency-key'], body)
      reply.code(message.created ? 201 : 200)
      return message
    },
    dryRunUnsaved: ({ principal, body }) => dryRunUnsaved(services, principal, body),
    previewUnsaved: ({ principal, body, query }) => previewUnsaved(services, principal, body, query),
    copyMessage: async ({ principal, params, headers, reply }) => {
      const message = await copyMessage(services, principal, params.id, headers['idempotency-key'])
      reply.code(message.created ? 201 : 200)
      return message
    },
    editMessage: ({ principal, params, headers, body }) =>
      editMessage(services, principal, params.id, body, { ifMatch: versionIn(headers['if-match']) }),
    dryRunMessage: ({ principal, params }) => dryRun(services, principal, params.id),
    previewMessage: ({ principal, params, body }) => previewMessage(services, principal, params.id, body),
    testSendMessage: ({ principal, params, body }) => testSend(services, principal, params.id, body),
    submitMessage: ({ principal, params, body }) => submitMessage(services, principal, params.id, body),
    approveMessage: ({ principal, params, body }) => approveMessage(services, principal, params.id, body),
    rejectMessage: ({ principal, params, body }) => rejectMessage(services, principal, params.id, body),
    withdrawMessage: ({ principal, params, body }) => withdrawMessage(services, principal, params.id, body),
    cancelMessage: ({ principal, params }) => cancelMessage(services, principal, params.id),
    pauseMessage: ({ principal, params }) => pauseMessage(services, principal, params.id),
    resumeMessage: ({ principal, params }) => resumeMessage(services, principal, params.id),
    stopMessage: ({ principal, params }) => stopMessage(services, principal, params.id),
    retryMessage: ({ principal, params, body }) => retryMessage(services, principal, params.id, body),
    getMessage: ({ principal, params }) => getMessage(services, principal, params.id),
    listMessages: ({ principal, query }) => listMessages(services, principal, query),
    listMessageDeliveries: async ({ principal, params, query, request, reply }) =>
      wantsCsv(request)
        ? sendCsv(reply, deliveryTable, await deliveriesOf(services, principal, params.id, query))
        : listMessageDeliveries(services, principal, params.id, query),
    traceMessage: ({ principal, params, query }) => readMessageTrace(services, principal, params.id, query),
    listMessageAnswers: async ({ principal, params, query, request, reply }) =>
      sendAnswers(request, reply, await messageAnswersOf(services, principal, params.id, query), query),
    nameMessageOrganisers: ({ principal, params, body }) =>
      nameOrganisers(services, principal, { kind: 'message', id: params.id }, body),
  } satisfies Partial<Handlers>
}
