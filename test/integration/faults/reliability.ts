import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Fault, type FaultName, faults } from './faults.ts'

const file = resolve(import.meta.dirname, '../../../docs/reliability.md')
const never = 'not yet'

/** The table of docs/reliability.md, from `faults` and the last measurements. */
export function tableOf(measured: (name: FaultName) => string): string[] {
  const names = Object.keys(faults) as FaultName[]
  return [
    '| | fault | what must hold | small | full | last measured in full |',
    '|---|---|---|---|---|---|',
    ...names.map((name) => `${rowStart(name)}${measured(name)} |`),
  ]
}

/** The document as it is, and with the current table. */
export function documentNow(): { text: string; expected: string } {
  const text = readFileSync(file, 'utf8')
  return { text, expected: withTable(text, (name) => measuredIn(text, name)) }
}

/** Replaces the last measurement of one fault. */
export function writeMeasured(fault: FaultName, what: string): void {
  const text = readFileSync(file, 'utf8')
  const line = `${new Date().toISOString().slice(0, 10)}: ${what}`
  writeFileSync(
    file,
    withTable(text, (name) => (name === fault ? line : measuredIn(text, name))),
  )
}

function withTable(text: string, measured: (name: FaultName) => string): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith('|'))
  const last = lines.findLastIndex((line) => line.startsWith('|'))
  return [...lines.slice(0, first), ...tableOf(measured), ...lines.slice(last + 1)].join('\n')
}

function measuredIn(text: string, name: FaultName): string {
  const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
  return row?.split(' | ').at(-1)?.replace(/ \|$/, '') ?? never
}

function rowStart(name: FaultName): string {
  const { fault, holds, small, full }: Fault = faults[name]
  return `| \`${name}\` | ${fault} | ${holds} | ${words(small)} | ${words(full)} | `
}

/** { kills: 5 } → "5 kills", { kills: 1 } → "1 kill" */
function words(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${count === 1 ? what.replace(/s$/, '') : what}`)
    .join(', ')
}

/** `node test/integration/faults/reliability.ts` updates the table and keeps the measurements. */
if (import.meta.main) writeFileSync(file, documentNow().expected)
