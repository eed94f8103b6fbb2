import { z } from 'zod'
import { CallbackListQuery } from '../src/contract/callbacks/callback.ts'
import { PageQuery } from '../src/contract/common.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { endpoints } from '../src/contract/endpoints.ts'
import { ErrorBody } from '../src/contract/error-body.ts'
import { EventBindingListQuery } from '../src/contract/events/binding.ts'
import { GroupListQuery } from '../src/contract/groups/group.ts'
import { MessageListQuery } from '../src/contract/messages/list.ts'
import { TemplateListQuery } from '../src/contract/templates/template.ts'
import { TopicListQuery } from '../src/contract/topics/topic.ts'
import { type JsonSchema, typeOf } from './type-of.ts'

const head = "// Written from the service's contract by `npm run types -w client`; do not edit."

/** Queries have no name of their own in the interface description. */
const queries = {
  PageQuery,
  MessageListQuery,
  TemplateListQuery,
  TopicListQuery,
  GroupListQuery,
  CallbackListQuery,
  EventBindingListQuery,
}

/** The TypeScript of everything that crosses the wire. It imports nothing, so it can be published by itself. */
export function typesOfContract(): string {
  const types = new Map<string, JsonSchema>()
  for (const [name, schema] of Object.entries(queries)) collect(types, schema, name)
  for (const { body, answers } of Object.values<Endpoint>(endpoints))
    for (const schema of [body, ...Object.values(answers).map((answer) => answer.schema)])
      if (schema) collect(types, schema)
  collect(types, ErrorBody)

  const lines = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => declare(name, schema))
  return `${[head, ...lines].join('\n\n')}\n`
}

/** Adds a schema, under its own name where it has one, and every named schema it is made of. */
function collect(types: Map<string, JsonSchema>, schema: z.ZodType, name = schema.meta()?.id): void {
  const { $defs, ...root } = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>
  }
  for (const [inner, definition] of Object.entries($defs ?? {})) types.set(inner, definition)
  // A schema that refers to itself comes as a reference to one of its own definitions.
  if (name !== undefined && !root.$ref) types.set(name, root)
}

function declare(name: string, schema: JsonSchema): string {
  const comment = schema.description ? `/** ${schema.description} */\n` : ''
  return `${comment}export type ${name} = ${typeOf(schema)}`
}
