import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** The subset of JSON Schema 2020-12 that the contract uses. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  not?: JsonSchema
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  description?: string
  examples?: unknown[]
}

/** Schemas as JSON Schema. Those with an id are in `components` and referenced from there. */
export type JsonSchemas = {
  components: Record<string, JsonSchema>
  byZod: ReadonlyMap<z.ZodType, JsonSchema>
}

/**
 * Converts zod schemas to JSON Schema.
 * @param io `input`: in requests; `output`: in responses
 * @throws Error if a schema has no JSON form, or two schemas have the same id
 */
export function toJsonSchemas(schemas: z.ZodType[], io: 'input' | 'output'): JsonSchemas {
  // As fields of one object they share its $defs: each named schema is defined once.
  const whole = z.object(Object.fromEntries(schemas.map((schema, at) => [at, schema])))
  const { properties = {}, $defs = {} }: JsonSchema & { $defs?: Record<string, JsonSchema> } = JSON.parse(
    JSON.stringify(z.toJSONSchema(whole, { io })),
    (key, value) => (key === '$ref' ? value.replace('#/$defs/', '#/components/schemas/') : value),
  )
  return { components: $defs, byZod: new Map(schemas.map((schema, at) => [schema, properties[at]!])) }
}

/**
 * The named schemas of requests and responses, by name.
 * @throws Error if a schema differs between the two
 */
export function mergeComponents(sent: JsonSchemas, answered: JsonSchemas): Record<string, JsonSchema> {
  for (const [name, schema] of Object.entries(sent.components))
    if (name in answered.components && !isDeepStrictEqual(schema, answered.components[name]))
      throw new Error(`${name} differs between request and response. Give the two forms their own ids.`)
  const all = Object.entries({ ...sent.components, ...answered.components })
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
}
