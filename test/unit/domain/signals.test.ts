import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysOf } from '../../../src/contract/enums.ts'
import { signalOfMove } from '../../../src/domain/message/signals-of-moves.ts'
import { allRunKinds } from '../../../src/domain/run/run-kinds.ts'
import {
  operatorSignals,
  type RunSignal,
  signalOf,
  signals,
  toldBy,
} from '../../../src/domain/run/signals.ts'

const root = join(import.meta.dirname, '../../..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== 'domain/run/signals.ts')
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'))

/** The names in the calls that tell runs of a kind something; those of moves are in their table. */
function toldIn(call: RegExp): string[] {
  return sources.flatMap((text) => [...text.matchAll(call)].map(([, name]) => name!))
}

describe('the list of signals', () => {
  it('has each that is sent, and no other', () => {
    const ofMoves = Object.values(signalOfMove).filter((name) => name !== null)
    const overdue = toldIn(/signalRun\(\w+, \w+, \[\{ name: '(\w+)'/g)
    const ofRuns = [...toldIn(/telling\('(\w+)'/g), ...toldIn(/ToldRun\[\] = \[\{[^}\n]* name: '(\w+)'/g)]
    const ofSchedules = toldIn(/wake\('schedule', [^\n]*\{ name: '(\w+)'/g)
    expect(overdue).toEqual(['overdue'])
    const sorted = (names: readonly string[]) => [...new Set(names)].sort()
    expect(sorted([...ofMoves, ...overdue])).toEqual(sorted(keysOf(signals.message)))
    expect(sorted([...ofRuns, ...overdue])).toEqual(sorted(keysOf(signals.scenario)))
    expect(sorted([...ofSchedules, ...overdue])).toEqual(sorted(keysOf(signals.schedule)))
  })

  it('stands in the guide of operators, with what each says', () => {
    const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8')
    for (const kind of allRunKinds)
      for (const [name, says] of Object.entries(signals[kind]))
        expect(guide).toContain(`| \`${name}\` | ${says} |`)
    for (const name of keysOf(operatorSignals)) expect(guide).toContain(`signal \`${name}\``)
  })
})

describe('a signal', () => {
  it('tells everything that happened, named for the newest', () => {
    const told: RunSignal[] = [
      { name: 'submitted', by: 'event:sis', version: 2 },
      { name: 'approved', by: 'system:auto', version: 3 },
    ]
    const { name, args } = signalOf(told)
    expect({ name, args }).toEqual({
      name: 'approved',
      args: [{ by: 'system:auto', version: 3, also: [told[0]] }],
    })
    expect(toldBy('message', 'approved', args[0])).toEqual(told)
    expect(signalOf([{ name: 'overdue' }])).toEqual({ name: 'overdue', args: [] })
  })

  it('may carry anything when it is sent by hand: what is no id, no number and no name of ours is dropped', () => {
    fc.assert(
      fc.property(fc.anything(), (argument) => {
        for (const { name, by, version, turn } of toldBy('message', 'approved', argument)) {
          expect(Object.keys(signals.message)).toContain(name)
          if (by !== undefined) expect(by).toMatch(/^[a-z]+:[\w.-]+$/)
          for (const number of [version ?? 0, turn ?? 0]) expect(Number.isSafeInteger(number)).toBe(true)
        }
      }),
    )
    expect(
      toldBy('message', 'approved', {
        by: 'person:王小明',
        version: 'x',
        turn: '2',
        also: [{ name: 'toString' }],
      }),
    ).toEqual([{ name: 'approved' }])
  })
})
