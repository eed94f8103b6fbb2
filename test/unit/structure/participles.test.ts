import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** The folders whose names are checked; those of dependencies and generated files are not. */
const folders = ['src', 'client', 'dev', 'bench', 'test']
const except = /node_modules\/|^client\/src\/types\.ts|^test\/outside\//

/** Participles that say what happened to a thing, and not what it is. As a part of a name they may stand. */
const participle = /^(found|known|shown|written|asked|made|said|seen|taken|tried|given|listed)$/i

type Node = { type: string; start: number; [key: string]: unknown }

/** The fields that hold what a node declares: a variable, function or type, its parameters, what an import is called here. */
const declares = ['id', 'params', 'param', 'local']

/** Only in these nodes a `name` or `key` is one too: in `<Row>`, and in `[Name in Names]`. */
const namesType = /^TS(TypeParameter|MappedType)$/

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** The identifiers that a pattern declares: a field that is taken under its own name is one. */
function namesIn(pattern: unknown): Node[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesIn)
  if (!isNode(pattern)) return []
  switch (pattern.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return namesIn(pattern.properties)
    case 'ArrayPattern':
      return namesIn(pattern.elements)
    case 'Property':
      return namesIn(pattern.value)
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    case 'TSParameterProperty':
      return namesIn(pattern.parameter)
    default:
      return []
  }
}

/** The names that a text declares and that are a participle, each with its line. */
function participlesIn(text: string): string[] {
  const names: Node[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    if (!isNode(value)) return
    const fields = namesType.test(value.type) ? [...declares, 'name', 'key'] : declares
    names.push(...fields.flatMap((field) => namesIn(value[field])))
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(parseAst(text, { lang: 'ts' }).body)
  return names
    .filter(({ name }) => participle.test(name as string))
    .sort((one, other) => one.start - other.start)
    .map(({ name, start }) => `${text.slice(0, start).split('\n').length}: ${name}`)
}

function refused(file: string): string[] {
  const own = participle.test(basename(file, '.ts')) ? [`${file}: the file itself`] : []
  return [...own, ...participlesIn(readFileSync(join(root, file), 'utf8')).map((at) => `${file}:${at}`)]
}

test('no variable, parameter, function, type or file is called by a participle alone', () => {
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((name) => name.endsWith('.ts') && !except.test(name))
  expect(files.length).toBeGreaterThan(500)
  expect(
    files.flatMap(refused),
    'Name the thing, not what happened to it: row, rows, match, counts, outcome, reply, draft. A field that has such a ' +
      'name is taken under another one: { written: counts }',
  ).toEqual([])
})

test('such a name is noticed wherever it is declared', () => {
  const declarations = [
    'const found = 1',
    'for (const known of []) {}',
    'const { written } = {}',
    'const { rows: [asked], ...listed } = {}',
    'function made({ said = 1 }, ...given) {}',
    'const row = (seen) => seen',
    'try {} catch (tried) {}',
    'type Shown = 1',
    'interface Taken {}',
    'class Given {}',
    'type Row<Found> = Found',
    "import * as known from 'a'",
  ]
  expect(declarations.filter((text) => participlesIn(text).length === 0)).toEqual([])
  const free = [
    'const { written: counts } = { given: 1 }',
    'type Row = { shown: 1 }',
    'const isKnown = row.seen',
  ]
  expect(free.flatMap(participlesIn)).toEqual([])
  expect(participlesIn('const { rows: [asked], ...listed } = {}')).toEqual(['1: asked', '1: listed'])
})
