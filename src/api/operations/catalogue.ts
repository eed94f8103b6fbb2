import { Readable } from 'node:stream'
import { broken } from '../../contract/rules.ts'
import { listAudienceValues } from '../../services/audience-values.ts'
import { listCategories } from '../../services/catalogue/categories.ts'
import { createTopic, editTopic, getTopic, listTopics } from '../../services/catalogue/topics.ts'
import type { Services } from '../../services/context.ts'
import { changeMembers, listMembers } from '../../services/groups/change-members.ts'
import { editGroup } from '../../services/groups/edit.ts'
import { createGroup, getGroup, listGroups } from '../../services/groups/groups.ts'
import { uploadMembers } from '../../services/groups/upload-members.ts'
import { getUnit } from '../../services/identity/unit.ts'
import { createMedia, getMedia, listMedia } from '../../services/media/media.ts'
import { getUnitQuota } from '../../services/quota/unit-quota.ts'
import { approveTemplate, rejectTemplate } from '../../services/templates/decide.ts'
import { previewTemplate } from '../../services/templates/preview.ts'
import { createTemplate, getTemplate, listTemplates } from '../../services/templates/templates.ts'
import { createTemplateVersion, listTemplateVersions } from '../../services/templates/versions.ts'
import { validationError } from '../../services/validation-error.ts'
import type { Handlers } from '../serve.ts'

/** Categories, templates, units, topics and groups (docs/api/templates.md, units.md, topics.md, groups.md). */
export function catalogueHandlers(services: Services) {
  return {
    listCategories: ({ query }) => listCategories(services, query),
    previewTemplate: ({ principal, params, body }) => previewTemplate(services, principal, params.id, body),
    listTemplates: ({ principal, query }) => listTemplates(services, principal, query),
    createTemplate: ({ principal, body }) => createTemplate(services, principal, body),
    getTemplate: ({ principal, params }) => getTemplate(services, principal, params.id),
    listTemplateVersions: ({ principal, params, query }) =>
      listTemplateVersions(services, principal, params.id, query),
    createTemplateVersion: ({ principal, params, body }) =>
      createTemplateVersion(services, principal, params.id, body),
    approveTemplate: ({ principal, params, body }) => approveTemplate(services, principal, params.id, body),
    rejectTemplate: ({ principal, params, body }) => rejectTemplate(services, principal, params.id, body),
    getUnit: ({ principal, params }) => getUnit(services, principal, params.id),
    getUnitQuota: ({ principal, params, query }) => getUnitQuota(services, principal, params.id, query),
    listTopics: ({ principal, query }) => listTopics(services, principal, query),
    createTopic: ({ principal, body }) => createTopic(services, principal, body),
    getTopic: ({ principal, params }) => getTopic(services, principal, params.id),
    editTopic: ({ principal, params, body }) => editTopic(services, principal, params.id, body),
    listGroups: ({ principal, query }) => listGroups(services, principal, query),
    listMedia: ({ principal, query }) => listMedia(services, principal, query),
    createMedia: ({ principal, query, request }) =>
      createMedia(services, principal, query.unitId, request.raw),
    getMedia: ({ principal, params }) => getMedia(services, principal, params.id),
    listAudienceValues: ({ principal, query }) => listAudienceValues(services, principal, query),
    createGroup: ({ principal, body }) => createGroup(services, principal, body),
    getGroup: ({ principal, params }) => getGroup(services, principal, params.id),
    editGroup: ({ principal, params, body }) => editGroup(services, principal, params.id, body),
    listMembers: ({ principal, params, query }) => listMembers(services, principal, params.id, query),
    changeMembers: ({ principal, params, query, body }) => {
      const { action = 'add' } = query
      if (body instanceof Readable) return uploadMembers(services, principal, { ...params, action }, body)
      if (query.action === undefined) return changeMembers(services, principal, params.id, body)
      throw validationError([{ path: 'action', ...broken('unexpected', { reason: 'json_body' }) }])
    },
  } satisfies Partial<Handlers>
}
