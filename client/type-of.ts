import type { JsonSchema } from '../src/contract/openapi/json-schema.ts'

/** A schema as a TypeScript type. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  if (schema.not) return 'never'
  const members = schema.anyOf ?? schema.oneOf
  if (members) return union(members.map(typeOf))
  switch (schema.type) {
    case 'array':
      return listType(schema)
    case 'object':
      return objectType(schema)
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

/** A list that the service refuses while it is empty is refused by the compiler as well. */
function listType({ items = {}, minItems = 0 }: JsonSchema): string {
  const list = `Array<${typeOf(items)}>`
  return minItems > 0 ? `[${typeOf(items)}, ...${list}]` : list
}

function objectType(schema: JsonSchema): string {
  const { properties, additionalProperties, propertyNames } = schema
  if (properties) {
    const most = schema['x-at-most-one-of']
    const exclusive = schema['x-exactly-one-of'] ?? most
    if (!exclusive) return fieldsType(schema, Object.keys(properties))
    const several = Object.entries(exclusive).flat(2)
    const common = Object.keys(properties).filter((name) => !several.includes(name))
    const forms = Object.entries(exclusive).map(([name, beside]) =>
      formType(schema, several, [name, ...beside]),
    )
    const all = most ? [...forms, formType(schema, several, [])] : forms
    return `${fieldsType(schema, common)} & (${all.join(' | ')})`
  }
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  return propertyNames?.enum || propertyNames?.$ref
    ? `Partial<Record<${typeOf(propertyNames)}, ${value}>>`
    : `Record<string, ${value}>`
}

/** One form of an object: its first field is given, the further ones may be, and none of the other forms. */
function formType(schema: JsonSchema, several: string[], [first, ...beside]: string[]): string {
  const allowed = [first, ...beside].filter((name) => name !== undefined)
  const form = { ...schema, required: first === undefined ? [] : [first] }
  const absent = several.filter((name) => !allowed.includes(name))
  const never = absent.map((name) => `${keyOf(name)}?: undefined\n`).join('')
  return fieldsType(form, allowed).replace(/\}$/, `${never}}`)
}

function fieldsType({ properties = {}, required = [] }: JsonSchema, names: string[]): string {
  const lines = names.map((name) => {
    const property = properties[name]!
    const comment = property.description ? `/** ${property.description} */\n` : ''
    return required.includes(name)
      ? `${comment}${keyOf(name)}: ${typeOf(property)}\n`
      : `${comment}${keyOf(name)}?: ${typeOf(property)} | undefined\n`
  })
  return `{\n${lines.join('')}}`
}

function keyOf(name: string): string {
  return /^[a-zA-Z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ')
}
