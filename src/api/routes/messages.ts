import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { approveMessage } from '../../services/messages/approve.ts'
import { copyMessage } from '../../services/messages/copy.ts'
import { createMessage } from '../../services/messages/create.ts'
import { editMessage } from '../../services/messages/edit.ts'
import { dryRun } from '../../services/messages/prepare.ts'
import { previewMessage } from '../../services/messages/preview.ts'
import { getMessage, listMessages } from '../../services/messages/read.ts'
import { listMessageAnswers, listMessageDeliveries } from '../../services/messages/records.ts'
import { submitMessage } from '../../services/messages/submit.ts'
import { testSend } from '../../services/messages/test-send.ts'
import {
  cancelMessage,
  pauseMessage,
  rejectMessage,
  resumeMessage,
  retryMessage,
  stopMessage,
} from '../../services/messages/transitions.ts'
import { serve } from '../serve.ts'
import { versionIn } from '../version-in.ts'

/** Message intents (docs/api/messages.md). */
export function messageRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'createMessage', async ({ principal, headers, body, reply }) => {
    const message = await createMessage(services, principal, headers['idempotency-key'], body)
    reply.code(message.created ? 201 : 200)
    return message
  })

  serve(app, 'copyMessage', async ({ principal, params, headers, reply }) => {
    const message = await copyMessage(services, principal, params.id, headers['idempotency-key'])
    reply.code(message.created ? 201 : 200)
    return message
  })

  serve(app, 'editMessage', ({ principal, params, headers, body }) =>
    editMessage(services, principal, params.id, body, { ifMatch: versionIn(headers['if-match']) }),
  )

  serve(app, 'dryRunMessage', ({ principal, params }) => dryRun(services, principal, params.id))

  serve(app, 'previewMessage', ({ principal, params, body }) =>
    previewMessage(services, principal, params.id, body),
  )

  serve(app, 'testSendMessage', ({ principal, params, body }) =>
    testSend(services, principal, params.id, body),
  )

  serve(app, 'submitMessage', ({ principal, params }) => submitMessage(services, principal, params.id))

  serve(app, 'approveMessage', ({ principal, params, body }) =>
    approveMessage(services, principal, params.id, body),
  )

  serve(app, 'rejectMessage', ({ principal, params, body }) =>
    rejectMessage(services, principal, params.id, body),
  )

  serve(app, 'cancelMessage', ({ principal, params }) => cancelMessage(services, principal, params.id))

  serve(app, 'pauseMessage', ({ principal, params }) => pauseMessage(services, principal, params.id))

  serve(app, 'resumeMessage', ({ principal, params }) => resumeMessage(services, principal, params.id))

  serve(app, 'stopMessage', ({ principal, params }) => stopMessage(services, principal, params.id))

  serve(app, 'retryMessage', ({ principal, params, body }) =>
    retryMessage(services, principal, params.id, body),
  )

  serve(app, 'getMessage', ({ principal, params }) => getMessage(services, principal, params.id))

  serve(app, 'listMessages', ({ principal, query }) => listMessages(services, principal, query))

  serve(app, 'listMessageDeliveries', ({ principal, params, query }) =>
    listMessageDeliveries(services, principal, params.id, query),
  )

  serve(app, 'listMessageAnswers', ({ principal, params, query }) =>
    listMessageAnswers(services, principal, params.id, query),
  )
}
