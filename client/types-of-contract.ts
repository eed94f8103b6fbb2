import { endpoints, type OperationId } from '../src/contract/endpoints.ts'
import { describeApi, type OpenApi } from '../src/contract/openapi/document.ts'
import { type JsonSchema, outputSuffix } from '../src/contract/openapi/json-schema.ts'
import type { Operation } from '../src/contract/openapi/operation.ts'
import { typeOf } from './type-of.ts'

const head = "// Written from the service's contract by `npm run types -w client`; do not edit."

/** Queries have no name in the OpenAPI document. Each gets a name here, with an operation that takes it. */
const queries: Record<string, OperationId> = {
  PageQuery: 'listImports',
  MessageListQuery: 'listMessages',
  MessageDeliveryQuery: 'listMessageDeliveries',
  MessageAnswersQuery: 'listMessageAnswers',
  TemplateListQuery: 'listTemplates',
  TopicListQuery: 'listTopics',
  GroupListQuery: 'listGroups',
  MediaListQuery: 'listMedia',
  AudienceValuesQuery: 'listAudienceValues',
  CallbackListQuery: 'listCallbacks',
  EventBindingListQuery: 'listEventBindings',
  RecordedEventListQuery: 'listRecordedEvents',
  UnitQuotaQuery: 'getUnitQuota',
  MetricsQuery: 'getTrend',
  ScenarioListQuery: 'listScenarios',
  ScenarioRunQuery: 'listScenarioRuns',
  RunSummaryQuery: 'summariseScenarioRuns',
  ScenarioAnswerQuery: 'listScenarioAnswers',
  PatternListQuery: 'listPatterns',
  PatternAnswersQuery: 'listPatternAnswers',
  ScheduleListQuery: 'listSchedules',
  HandoffQuery: 'listHandoffs',
  WaitingApprovalQuery: 'listApprovals',
  SummaryQuery: 'getSummary',
  AuditQuery: 'listAudit',
  ImportQuery: 'createImport',
  PersonListQuery: 'adminListPersons',
  KeyListQuery: 'adminListKeys',
  EventKeyListQuery: 'adminListEventKeys',
  QuotaQuery: 'adminGetQuota',
  ValueNameQuery: 'adminListValueNames',
}

/**
 * The TypeScript types of all requests and responses. They import nothing, so the client can be published on its own.
 */
export function typesOfContract(): string {
  const { paths, webhooks, components } = withoutOutputs(describeApi(endpoints))
  const types: Record<string, JsonSchema> = {
    ...components.schemas,
    CallbackEvent: callbackEvent(webhooks),
  }
  for (const [name, id] of Object.entries(queries)) {
    const { path, method } = endpoints[id]
    const description = `Query parameters, such as those of \`${method} ${path}\`.`
    types[name] = { description, ...queryOf(paths[path]![method.toLowerCase()]!) }
  }
  const lines = Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${[head, ...lines.map(([name, schema]) => declare(name, schema))].join('\n\n')}\n`
}

/** In TypeScript, a schema of requests and its form in responses are one type: types are open. */
function withoutOutputs(document: OpenApi): OpenApi {
  const names = Object.keys(document.components.schemas)
  const outputs = names.filter((name) => names.some((other) => name === `${other}${outputSuffix}`))
  const text = outputs.reduce(
    (whole, name) => whole.replaceAll(`/${name}"`, `/${name.slice(0, -outputSuffix.length)}"`),
    JSON.stringify(document),
  )
  const single: OpenApi = JSON.parse(text)
  for (const name of outputs) delete single.components.schemas[name]
  return single
}

/** The bodies of all requests to callbacks, which their `type` tells apart. */
function callbackEvent({ lookup: _, ...callbacks }: OpenApi['webhooks']): JsonSchema {
  const bodies = Object.values(callbacks).map(({ post }) => post.requestBody!.content['application/json']!)
  return {
    description: 'The body of a callback request, by `type`.',
    anyOf: bodies.map(({ schema }) => schema!),
  }
}

function queryOf({ parameters = [] }: Operation): JsonSchema {
  const fields = parameters.filter((parameter) => parameter.in === 'query')
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, schema, description }) => [
        name,
        { ...possiblyEmpty(schema), ...(description && { description }) },
      ]),
    ),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** The library sends nothing of an empty list in a query. */
function possiblyEmpty(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === 'minItems' ? undefined : value))
}

function declare(name: string, schema: JsonSchema): string {
  const comment = schema.description ? `/** ${schema.description} */\n` : ''
  return `${comment}export type ${name} = ${typeOf(schema)}`
}
