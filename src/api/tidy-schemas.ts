import { isDeepStrictEqual } from 'node:util'

type Schemas = Record<string, unknown>
type Description = { paths?: unknown; components?: { schemas?: Schemas } }

const reference = /"#\/components\/schemas\/(\w+)"/g
/** Every schema comes twice, as it is read and as it is written; the first of the two has this after its name. */
const suffix = /Input$/

/**
 * Leaves the schemas that an operation uses, each once and under its own name: ours are read as they are written.
 * @throws Error where a schema of the contract is not
 */
export function tidySchemas<D>(document: D): D {
  const { paths, components } = document as Description
  const schemas: Schemas = {}
  for (const name of usedBy(paths, components?.schemas ?? {})) {
    const plain = name.replace(suffix, '')
    const schema = underPlainNames(components?.schemas?.[name])
    if (schemas[plain] !== undefined && !isDeepStrictEqual(schemas[plain], schema))
      throw new Error(`${plain} is not written as it is read; give the two forms names of their own.`)
    schemas[plain] = schema
  }
  return { ...underPlainNames(document as Description), components: { ...components, schemas } } as D
}

/** Names of the schemas that are referred to, directly or by one another, in the order in which they come up. */
function usedBy(root: unknown, schemas: Schemas): Set<string> {
  const used = new Set<string>()
  const open = [root]
  for (let part = open.pop(); part !== undefined; part = open.pop())
    for (const [, name] of JSON.stringify(part).matchAll(reference))
      if (name !== undefined && !used.has(name)) {
        used.add(name)
        open.push(schemas[name])
      }
  return used
}

function underPlainNames<T>(part: T): T {
  const plain = (_: string, name: string) => `"#/components/schemas/${name.replace(suffix, '')}"`
  return JSON.parse(JSON.stringify(part).replaceAll(reference, plain))
}
