import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { changeMembers, listMembers } from '../../services/groups/change-members.ts'
import { editGroup } from '../../services/groups/edit.ts'
import { createGroup, getGroup, listGroups } from '../../services/groups/groups.ts'
import { uploadMembers } from '../../services/groups/upload-members.ts'
import { validationError } from '../../services/validation-error.ts'
import { serve } from '../serve.ts'

/** Groups and their members (docs/api/groups.md). */
export function groupRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listGroups', ({ principal, query }) => listGroups(services, principal, query))

  serve(app, 'createGroup', ({ principal, body }) => createGroup(services, principal, body))

  serve(app, 'getGroup', ({ principal, params }) => getGroup(services, principal, params.id))

  serve(app, 'editGroup', ({ principal, params, body }) => editGroup(services, principal, params.id, body))

  serve(app, 'listMembers', ({ principal, params, query }) =>
    listMembers(services, principal, params.id, query),
  )

  serve(app, 'changeMembers', ({ principal, params, query, body }) => {
    const { action = 'add' } = query
    if (body instanceof Readable) return uploadMembers(services, principal, { ...params, action }, body)
    if (query.action === undefined) return changeMembers(services, principal, params.id, body)
    const message = 'must be omitted with a JSON body, which has add and remove'
    throw validationError([{ path: 'action', message }])
  })
}
