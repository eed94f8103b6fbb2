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
      return `Array<${typeOf(schema.items ?? {})}>`
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

function objectType({ properties, required, additionalProperties, propertyNames }: JsonSchema): string {
  if (properties) {
    const lines = Object.entries(properties).map(([name, property]) => {
      const comment = property.description ? `/** ${property.description} */\n` : ''
      return `${comment}${keyOf(name)}${required?.includes(name) ? '' : '?'}: ${typeOf(property)}\n`
    })
    return `{\n${lines.join('')}}`
  }
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  return propertyNames?.enum || propertyNames?.$ref
    ? `Partial<Record<${typeOf(propertyNames)}, ${value}>>`
    : `Record<string, ${value}>`
}

function keyOf(name: string): string {
  return /^[a-zA-Z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ')
}
