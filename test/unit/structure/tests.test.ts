import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const test = resolve(import.meta.dirname, '../..')

/** Folders that may use another folder's files: races, roles, observe and deploy use the installation of the faults. */
const alsoFrom: Record<string, string[]> = {
  races: ['faults'],
  roles: ['faults'],
  observe: ['faults'],
  deploy: ['faults'],
}

describe('the tests', () => {
  it('of a resource set up with their own files, the fixtures and the harness alone', () => {
    const wrong = importsWithin('integration').filter(({ folder, from }) => {
      const [top, other] = from.split('/')
      return top === 'integration' && other !== folder && !alsoFrom[folder]?.includes(other!)
    })
    expect(wrong.map(({ file, from }) => `${file}: ${from}`)).toEqual([])
  })

  it('use fixtures that import no test, and fixtures use a harness that imports no fixture', () => {
    const folders = {
      fixtures: ['integration', 'unit', 'histories'],
      harness: ['integration', 'unit', 'fixtures'],
    }
    const wrong = Object.entries(folders).flatMap(([room, above]) =>
      importsWithin(room).filter(({ from }) => above.includes(from.split('/')[0]!)),
    )
    expect(wrong.map(({ file, from }) => `${file}: ${from}`)).toEqual([])
  })
})

type Import = { file: string; folder: string; from: string }

/** What the files of a folder of test import from others of test. */
function importsWithin(room: string): Import[] {
  const root = join(test, room)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  return files.flatMap((file) => {
    const path = join(root, file)
    const specifiers = readFileSync(path, 'utf8').matchAll(/^(?:import|export)\s[^'";]*?from\s+'(\.[^']+)'/gm)
    return [...specifiers]
      .map(([, specifier]) => relative(test, resolve(dirname(path), specifier!)))
      .filter((from) => !from.startsWith('..'))
      .map((from) => ({ file, folder: file.split('/')[0]!, from }))
  })
}
