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
  minItems?: number
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  description?: string
  examples?: unknown[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  /** Of a body that is read line by line: `application/x-ndjson` or `text/csv`, and the schema of one line. */
  contentMediaType?: string
  contentSchema?: JsonSchema
  /** Exactly one, or at most one, of these fields is given; each with the fields that are allowed only beside it. */
  'x-exactly-one-of'?: Record<string, string[]>
  'x-at-most-one-of'?: Record<string, string[]>
}

/** Schemas as JSON Schema. Those with an id are in `components` and referenced from there. */
export type JsonSchemas = {
  components: Record<string, JsonSchema>
  byZod: ReadonlyMap<z.ZodType, JsonSchema>
}

const refPrefix = '#/components/schemas/'

/**
 * Converts zod schemas to JSON Schema.
 * @param io `input`: in requests; `output`: in responses, which may have further fields
 * @throws Error if a schema has no JSON form, or two schemas have the same id
 */
export function toJsonSchemas(schemas: z.ZodType[], io: 'input' | 'output'): JsonSchemas {
  // As fields of one object they share its $defs: each named schema is defined once.
  const whole = z.object(Object.fromEntries(schemas.map((schema, at) => [at, schema])))
  const json = JSON.stringify(z.toJSONSchema(whole, { io, override: addDiscriminator }))
  const { properties = {}, $defs = {} }: JsonSchema & { $defs?: Record<string, JsonSchema> } = JSON.parse(
    json.replaceAll('"$ref":"#/$defs/', `"$ref":"${refPrefix}`),
    (_key, value) => describeOnce(io === 'output' ? open(value) : value),
  )
  for (const schema of [...Object.values($defs), ...Object.values(properties)]) addMappings(schema, $defs)
  return { components: $defs, byZod: new Map(schemas.map((schema, at) => [schema, properties[at]!])) }
}

type Converted = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]

function addDiscriminator({ zodSchema, jsonSchema }: Converted): void {
  const { def } = zodSchema._zod
  if (def.type !== 'union' || !('discriminator' in def) || jsonSchema.$ref) return
  jsonSchema.discriminator = { propertyName: String(def.discriminator) }
}

/**
 * A schema of a response: open against fields that later versions add, and without what `format` and `type` already
 * imply for values that Carillon writes.
 */
function open<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const schema: JsonSchema = value
  if (schema.properties && 'additionalProperties' in schema) delete schema.additionalProperties
  if (schema.format === 'date-time' || schema.format === 'uuid') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  return value
}

/** A value that may be null is described as a whole, not again without its null. */
function describeOnce<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const { anyOf = [], description }: JsonSchema = value
  if (description === undefined || !anyOf.some(({ type }) => type === 'null')) return value
  for (const inner of anyOf) delete inner.description
  return value
}

/** Completes discriminators: OpenAPI knows a member only by its name. A value that is no string cannot be mapped. */
function addMappings(schema: JsonSchema, named: Record<string, JsonSchema>): void {
  for (const inner of partsOf(schema)) addMappings(inner, named)
  const { discriminator, oneOf = [] } = schema
  if (!discriminator) return
  const mapping = oneOf.map(({ $ref = '' }) => {
    const { properties = {} } = named[$ref.slice(refPrefix.length)] ?? {}
    return [properties[discriminator.propertyName]?.const, $ref]
  })
  if (mapping.every(([value]) => typeof value === 'string'))
    discriminator.mapping = Object.fromEntries(mapping)
  else delete schema.discriminator
}

/** The schemas directly inside a schema. */
export function partsOf(schema: JsonSchema): JsonSchema[] {
  const { anyOf, oneOf, not, items, properties, additionalProperties, contentSchema } = schema
  const parts = [
    ...(anyOf ?? []),
    ...(oneOf ?? []),
    not,
    items,
    contentSchema,
    ...Object.values(properties ?? {}),
  ]
  return [...parts, typeof additionalProperties === 'object' ? additionalProperties : undefined].filter(
    (part) => part !== undefined,
  )
}

/**
 * The named schemas of requests and responses together. Requests reject unknown fields and responses are open, so a
 * schema that occurs in both has two forms: in responses its name ends in `Output`.
 * @throws Error if a schema differs between the two in anything else, or its second name is taken
 */
export function mergeComponents(
  sent: JsonSchemas,
  answered: JsonSchemas,
): { schemas: Record<string, JsonSchema>; answered: JsonSchemas } {
  const opened: Record<string, JsonSchema> = JSON.parse(JSON.stringify(sent.components), (_key, value) =>
    open(value),
  )
  const closed = new Set<string>()
  for (const [name, schema] of Object.entries(answered.components)) {
    if (!(name in opened)) continue
    if (!isDeepStrictEqual(opened[name], schema))
      throw new Error(`${name} differs between request and response. Give the two forms their own ids.`)
    if (!isDeepStrictEqual(sent.components[name], schema)) closed.add(name)
  }
  addUsers(closed, sent.components)
  const renamed = rename(answered, closed)
  for (const name of Object.keys(renamed.components))
    if (name.endsWith(outputSuffix) && name in { ...sent.components, ...answered.components })
      throw new Error(`${name} is the name of another schema's form in responses. Choose another id.`)
  const all = Object.entries({ ...sent.components, ...renamed.components })
  return { schemas: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))), answered: renamed }
}

/** How the name of a schema of requests ends in responses. */
export const outputSuffix = 'Output'

/** Adds the schemas that refer to one of those named, directly or not. */
function addUsers(names: Set<string>, components: Record<string, JsonSchema>): void {
  const before = names.size
  for (const [name, schema] of Object.entries(components)) if (refersTo(schema, names)) names.add(name)
  if (names.size > before) addUsers(names, components)
}

function refersTo(schema: JsonSchema, names: ReadonlySet<string>): boolean {
  if (schema.$ref && names.has(schema.$ref.slice(refPrefix.length))) return true
  return partsOf(schema).some((part) => refersTo(part, names))
}

function rename({ components, byZod }: JsonSchemas, names: ReadonlySet<string>): JsonSchemas {
  const nameOf = (name: string) => (names.has(name) ? `${name}${outputSuffix}` : name)
  const inside = (schema: JsonSchema): JsonSchema =>
    JSON.parse(JSON.stringify(schema), (_key, value) =>
      typeof value === 'string' && value.startsWith(refPrefix)
        ? `${refPrefix}${nameOf(value.slice(refPrefix.length))}`
        : value,
    )
  const renamed = Object.entries(components).map(([name, schema]) => [nameOf(name), inside(schema)])
  return {
    components: Object.fromEntries(renamed),
    byZod: new Map([...byZod].map(([schema, form]) => [schema, inside(form)])),
  }
}
