import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { approveMessage } from '../../services/messages/approve.ts'
import { cancelMessage } from '../../services/messages/cancel.ts'
import { createMessage } from '../../services/messages/create.ts'
import { dryRun } from '../../services/messages/dry-run.ts'
import { editMessage } from '../../services/messages/edit.ts'
import { getMessage } from '../../services/messages/get.ts'
import { listMessages } from '../../services/messages/list.ts'
import { pauseMessage, resumeMessage } from '../../services/messages/pause.ts'
import { previewMessage } from '../../services/messages/preview.ts'
import { rejectMessage } from '../../services/messages/reject.ts'
import { retryMessage } from '../../services/messages/retry.ts'
import { stopMessage } from '../../services/messages/stop.ts'
import { submitMessage } from '../../services/messages/submit.ts'
import { testSend } from '../../services/messages/test-send.ts'
import { serve } from '../serve.ts'

/** Message intents, from the draft to what became of it (interface, Endpoints A). */
export function messageRoutes(app: FastifyInstance, services: Services): void {
  const { db } = services

  serve(app, db, 'createMessage', async ({ principal, headers, body, reply }) => {
    const message = await createMessage(services, principal, headers['idempotency-key'], body)
    reply.code(message.created ? 201 : 200)
    return message
  })

  serve(app, db, 'editMessage', ({ principal, params, headers, body }) =>
    editMessage(services, principal, params.id, body, { ifMatch: versionIn(headers['if-match']) }),
  )

  serve(app, db, 'dryRunMessage', ({ principal, params }) => dryRun(services, principal, params.id))

  serve(app, db, 'previewMessage', ({ principal, params, body }) =>
    previewMessage(services, principal, params.id, body),
  )

  serve(app, db, 'testSendMessage', ({ principal, params, body }) =>
    testSend(services, principal, params.id, body),
  )

  serve(app, db, 'submitMessage', ({ principal, params }) => submitMessage(services, principal, params.id))

  serve(app, db, 'approveMessage', ({ principal, params, body }) =>
    approveMessage(services, principal, params.id, body),
  )

  serve(app, db, 'rejectMessage', ({ principal, params, body }) =>
    rejectMessage(services, principal, params.id, body),
  )

  serve(app, db, 'cancelMessage', ({ principal, params }) => cancelMessage(services, principal, params.id))

  serve(app, db, 'pauseMessage', ({ principal, params }) => pauseMessage(services, principal, params.id))

  serve(app, db, 'resumeMessage', ({ principal, params }) => resumeMessage(services, principal, params.id))

  serve(app, db, 'stopMessage', ({ principal, params }) => stopMessage(services, principal, params.id))

  serve(app, db, 'retryMessage', ({ principal, params, body }) =>
    retryMessage(services, principal, params.id, body),
  )

  serve(app, db, 'getMessage', ({ principal, params }) => getMessage(services, principal, params.id))

  serve(app, db, 'listMessages', ({ principal, query }) => listMessages(services, principal, query))
}

/** The number in an If-Match header: `3`, `"3"` or `W/"3"`. */
function versionIn(ifMatch: string | undefined): number | undefined {
  return ifMatch === undefined ? undefined : Number(ifMatch.replaceAll(/\D/g, ''))
}
