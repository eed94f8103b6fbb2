import type { z } from 'zod'
import type { Endpoint } from '../../../../../src/contract/endpoint.ts'
import { endpoints } from '../../../../../src/contract/endpoints.ts'
import { exampleId } from '../../../../../src/contract/example-ids.ts'
import { toJsonSchemas } from '../../../../../src/contract/openapi/json-schema.ts'
import { canary } from '../canaries.ts'

/** A schema of the OpenAPI document, with the keywords that bound a value. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  examples?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

const sent = toJsonSchemas(
  Object.values<Endpoint>(endpoints)
    .flatMap(({ params, query, headers, body }) => [params, query, headers, body])
    .filter((schema) => schema !== undefined),
  'input',
)

/** The schema of a part of a request. */
export function schemaOf(part: z.ZodType): Schema {
  return sent.byZod.get(part) ?? {}
}

/** A schema behind its references. */
export function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolve(sent.components[name] ?? {})
}

/** The alternatives of a union; a schema that is none is its only alternative. */
export function alternativesOf(schema: Schema): Schema[] {
  return (schema.oneOf ?? schema.anyOf ?? [schema]).map(resolve)
}

/** A small value that a schema accepts. */
export function sampleOf(reference: Schema): unknown {
  const schema = resolve(reference)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.examples) return schema.examples[0]
  if (schema.oneOf ?? schema.anyOf) return sampleOf(alternativesOf(schema)[0]!)
  switch (schema.type) {
    case 'string':
      return textOf(schema, Math.max(1, schema.minLength ?? 1))
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return [sampleOf(schema.items ?? {})]
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      )
    default:
      return null
  }
}

/** Marked like the texts of a person, so that a part of a body in a log counts as a leak. */
const filler = `${canary.text} `
const byFormat: Record<string, string> = {
  'date-time': '2030-12-01T09:00:00+08:00',
  uuid: exampleId,
  uri: 'https://example.org/',
  email: 'a@example.org',
}
const candidates = ['a', 'a:a', '2030-12', '09:00', '1', 'U0123456789abcdef0123456789abcdef', 'message.sent']

/** A text of about this length that a schema accepts, where its pattern lets it grow. */
export function textOf({ format = '', pattern = '' }: Schema, length: number): string {
  const pattern_ = new RegExp(pattern, 'u')
  const longer = (text: string) => text.padEnd(length, 'a')
  if (byFormat[format] !== undefined) return format === 'uri' ? longer(byFormat[format]) : byFormat[format]
  if (pattern === '') return filler.repeat(Math.ceil(length / filler.length)).slice(0, length)
  const starts = candidates.filter((text) => pattern_.test(text))
  return starts.map(longer).find((text) => pattern_.test(text)) ?? starts[0] ?? 'a'
}
