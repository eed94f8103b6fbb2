import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../../src')

/** What each folder may import from besides itself (docs/architecture.md, Folders). */
const mayImport: Record<string, string[]> = {
  contract: [],
  domain: ['contract'],
  config: ['contract', 'domain'],
  html: [],
  db: ['contract', 'domain'],
  channels: ['contract', 'domain', 'html'],
  tracing: [],
  metrics: ['contract', 'domain', 'db', 'channels'],
  temporal: ['contract', 'domain', 'db', 'channels', 'metrics'],
  services: ['contract', 'domain', 'db', 'channels', 'metrics', 'temporal'],
  background: ['contract', 'domain', 'db', 'channels', 'metrics', 'temporal', 'services'],
  workflows: ['contract', 'domain'],
  activities: ['contract', 'domain', 'db', 'channels', 'metrics', 'temporal', 'services'],
  api: ['contract', 'domain', 'html', 'db', 'channels', 'metrics', 'temporal', 'services'],
}

/** The files outside the folders that the processes share: signing, config, tracing and version. */
const shared = /'\.\.\/(\.\.\/)*(signing|config|tracing\/spans|version)\.ts'/

type Import = { file: string; folder: string; line: string; from: string; target: string; typeOnly: boolean }

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const imports = files.flatMap(importsOf)

describe('source folders', () => {
  it('lets imports point in one direction only', () => {
    const wrong = imports
      .filter(({ folder, from }) => folder in mayImport && isOurs(from))
      .filter(
        ({ folder, line }) => !(shared.test(line) && !['contract', 'domain', 'workflows'].includes(folder)),
      )
      .filter(({ folder, from }) => from !== folder && !mayImport[folder]!.includes(from))
      // a workflow knows the shape of its activities, never their code
      .filter(({ folder, from, typeOnly }) => !(folder === 'workflows' && from === 'activities' && typeOnly))
      // rows hold what channels have compiled
      .filter(
        ({ folder, target, typeOnly }) => !(folder === 'db' && target === 'channels/channel.ts' && typeOnly),
      )
      // what is true of a channel without a setting is for everybody (docs/design/channels.md)
      .filter(({ target }) => target !== 'channels/facts/by-channel.ts')
    expect(wrong.map((entry) => `${entry.file}: ${entry.line}`)).toEqual([])
  })

  it('has no circle of files that import each other, types included', () => {
    expect(circlesOf(filesThatImport())).toEqual([])
    const ring = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
    ])
    expect(circlesOf(ring)).toEqual(['a → b → c → a'])
  })

  it('has no circle of folders inside a layer: its rooms have an order', () => {
    expect(circlesOf(roomsThatImport(filesThatImport()))).toEqual([])
    const ring = new Map([
      ['l/a/x', ['l/b/y', 'm/a/x']],
      ['l/b/y', ['l/b/deep/z']],
      ['l/b/deep/z', ['l/b/y', 'l/c/z']],
      ['l/c/z', ['l/a/w', 'l/loose']],
    ])
    expect(circlesOf(roomsThatImport(ring))).toEqual([])
    ring.set('l/b/y', ['l/c/z'])
    expect(circlesOf(roomsThatImport(ring))).toEqual(['l/a → l/b → l/c → l/a'])
  })

  it('keeps I/O out of domain and workflows', () => {
    const wrong = imports
      .filter(({ folder }) => folder === 'domain' || folder === 'workflows')
      .filter(
        ({ folder, from }) =>
          from.startsWith('node:') || (folder === 'workflows' && /^(pg|kysely|undici)$/.test(from)),
      )
    expect(wrong.map((entry) => `${entry.file}: ${entry.line}`)).toEqual([])
  })

  it('keeps no state in the modules of workflows: all runs of a worker share them (src/temporal/make-bundle.ts)', () => {
    const loaded = loadedBy('workflows').files
    expect(loaded).toContain('domain/message/expiry.ts')
    const isState = (line: string) =>
      /^(export )?(let|var) |^(export )?const [^=]+= (new (Weak)?(Map|Set)|\[\]|\{\}|Array)/.test(line)
    const stateful = [...loaded].flatMap((file) =>
      linesOf(file)
        .filter(isState)
        .map((line) => `${file}: ${line}`),
    )
    expect(stateful).toEqual([])
    const samples = ['let a = 1', 'const b = new Map()', 'const c = {}', 'const D = { a: 1 }'].filter(isState)
    expect(samples).toHaveLength(3)
  })

  it('lets domain and workflows import only types and constants from contract', () => {
    const wrong = imports
      .filter(({ folder, from }) => (folder === 'domain' || folder === 'workflows') && from === 'contract')
      .filter(({ line, typeOnly }) => !typeOnly && !/contract\/(enums|limits|errors|rules)\.ts/.test(line))
    expect(wrong.map((entry) => `${entry.file}: ${entry.line}`)).toEqual([])
  })

  it('keeps enums, limits, and what channels send, in modules that import nothing: a browser may load them', () => {
    const leaves = [
      'contract/enums.ts',
      'contract/limits.ts',
      'channels/chat/limits.ts',
      'channels/email/limits.ts',
    ]
    leaves.push('channels/chat/wire.ts', 'channels/email/wire.ts')
    expect(files).toEqual(expect.arrayContaining(leaves))
    expect(imports.filter(({ file }) => leaves.includes(file))).toEqual([])
  })

  it('keeps the facts of the channels pure: domain, SQL and pages read them', () => {
    const reached = new Set(['channels/facts/by-channel.ts'])
    for (const file of reached)
      for (const { target } of imports.filter((entry) => entry.file === file)) reached.add(target)
    const rooms = /^channels\/(channel-facts|[a-z]+\/(facts|local-part|by-channel))\.ts$/
    expect([...reached].filter((file) => !rooms.test(file))).toEqual(['contract/enums.ts'])
  })

  it('loads no schemas into domain and the bundle of the workflows', () => {
    expect(loadedBy('domain').packages).toEqual(
      new Set(['croner', 'liquidjs', 'lru-cache', 'markdown-it', 'markdown-it-cjk-friendly']),
    )
    expect(loadedBy('workflows').packages).toEqual(new Set(['@temporalio/common', '@temporalio/workflow']))
  })

  it('lets nothing in src import dev, bench or test', () => {
    const wrong = imports.filter(({ from }) => from.startsWith('../'))
    expect(wrong.map((entry) => `${entry.file}: ${entry.line}`)).toEqual([])
  })

  it('keeps the Temporal client in src/temporal', () => {
    const wrong = imports.filter(({ folder, from }) => from === '@temporalio/client' && folder !== 'temporal')
    expect(wrong.map((entry) => entry.file)).toEqual([])
  })

  it('lets only activities send through a channel', () => {
    const wrong = imports
      .filter(({ line, typeOnly }) => /channels\/(chat|email)\/send\.ts/.test(line) && !typeOnly)
      .filter(({ folder }) => folder !== 'activities' && folder !== 'channels' && folder !== '.')
    expect(wrong.map((entry) => `${entry.file}: ${entry.line}`)).toEqual([])
  })
})

/** What each file of src imports from src. */
function filesThatImport(): Map<string, string[]> {
  const fileSet = new Set(files)
  const targets = Map.groupBy(
    imports.filter(({ target }) => fileSet.has(target)),
    ({ file }) => file,
  )
  return new Map([...targets].map(([file, entries]) => [file, entries.map(({ target }) => target)]))
}

/** One circle for each import that closes one, as the path around it. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const begin = path.indexOf(file)
    if (begin >= 0) circles.push([...path.slice(begin), file].join(' → '))
    if (begin >= 0 || done.has(file)) return
    for (const target of graph.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return circles
}

/** Which folders of a layer import which others of it. One in another is a part of it; a file outside of them is in none. */
function roomsThatImport(graph: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const rooms = new Map<string, string[]>()
  for (const [file, targets] of graph)
    for (const target of targets) {
      const [from, to] = [dirname(file), dirname(target)]
      const isInside = `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)
      const isOneLayer = from.split('/')[0] === to.split('/')[0] && from.includes('/') && to.includes('/')
      if (isOneLayer && !isInside) rooms.set(from, [...(rooms.get(from) ?? []), to])
    }
  return rooms
}

function linesOf(file: string): string[] {
  return readFileSync(join(src, file), 'utf8').split('\n')
}

function importsOf(file: string): Import[] {
  const path = join(src, file)
  const statements = readFileSync(path, 'utf8').matchAll(
    /^(?:import|export)\s+(type\s+)?[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm,
  )
  return [...statements].map((statement) => ({
    file,
    folder: file.includes('/') ? file.split('/')[0]! : '.',
    line: statement[0].replace(/\s+/g, ' '),
    from: folderOf(path, (statement[2] ?? statement[3])!),
    target: targetOf(path, (statement[2] ?? statement[3])!),
    typeOnly: statement[1] !== undefined,
  }))
}

/** The folder a specifier leads into; the package's name for a package; `../…` for what lies outside src. */
function folderOf(path: string, specifier: string): string {
  const target = targetOf(path, specifier)
  if (target === specifier || target.startsWith('..')) return target
  return target.includes('/') ? target.split('/')[0]! : '.'
}

/** The file a specifier leads to, as seen from src; the package's name for a package. */
function targetOf(path: string, specifier: string): string {
  return specifier.startsWith('.') ? relative(src, resolve(dirname(path), specifier)) : specifier
}

/** The files that a folder loads, itself included, and the packages. */
function loadedBy(folder: string): { files: Set<string>; packages: Set<string> } {
  const reached = new Set(files.filter((file) => file.startsWith(`${folder}/`)))
  const packages = new Set<string>()
  for (const file of reached)
    for (const { target } of imports.filter((entry) => entry.file === file && !entry.typeOnly))
      (target.endsWith('.ts') ? reached : packages).add(target)
  return { files: reached, packages }
}

function isOurs(from: string): boolean {
  return from === '.' || from in mayImport
}
