import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** As much of JSON Schema 2020-12 as the contract uses. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  description?: string
  examples?: unknown[]
}

/** Schemas in JSON Schema. One with an id stands in `components`, and every use of it refers to it there. */
export type JsonSchemas = {
  components: Record<string, JsonSchema>
  byZod: ReadonlyMap<z.ZodType, JsonSchema>
}

/**
 * Converts zod schemas to JSON Schema.
 * @param io `input`: as a caller sends them; `output`: as they are answered
 * @throws Error where a schema has no JSON form, or two have the same id
 */
export function toJsonSchemas(schemas: z.ZodType[], io: 'input' | 'output'): JsonSchemas {
  // As fields of one object they share its $defs, so that each named schema is there once.
  const whole = z.object(Object.fromEntries(schemas.map((schema, at) => [at, schema])))
  const { properties = {}, $defs = {} }: JsonSchema & { $defs?: Record<string, JsonSchema> } = JSON.parse(
    JSON.stringify(z.toJSONSchema(whole, { io })),
    (key, value) => (key === '$ref' ? value.replace('#/$defs/', '#/components/schemas/') : value),
  )
  return { components: $defs, byZod: new Map(schemas.map((schema, at) => [schema, properties[at]!])) }
}

/**
 * All named schemas of two directions, by name.
 * @throws Error where a schema is sent in another form than it is answered in
 */
export function mergeComponents(sent: JsonSchemas, answered: JsonSchemas): Record<string, JsonSchema> {
  for (const [name, schema] of Object.entries(sent.components))
    if (name in answered.components && !isDeepStrictEqual(schema, answered.components[name]))
      throw new Error(
        `${name} is sent in another form than it is answered in. Give the two forms their own ids.`,
      )
  const all = Object.entries({ ...sent.components, ...answered.components })
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
}
