import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type ImportFormat, importFormats } from '../contract/enums.ts'
import type { Import } from '../contract/imports/import.ts'
import { listRefusals } from '../db/queries/subject/import.ts'
import { findOwnImport } from '../services/imports/find.ts'
import { receiveImport } from '../services/imports/receive.ts'
import { workOffChunk } from '../services/imports/work.ts'
import { withBar } from './bar.ts'
import { type Frame, operator, withDatabase } from './frame.ts'
import { UsageError } from './wrong.ts'

/** Refused lines that are shown; with --json a thousand. */
const shown = 20
const told = 1_000

/** While a worker is at it, look again after so many ms. */
const lookAgainMs = 200

/** `carillon import` */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('write many people at once; what is interrupted, a worker goes on with')
    .argument('<file>', 'CSV with a header, or NDJSON')
    .addOption(new Option('--format <format>', 'else by the end of its name').choices(importFormats))
    .option('--ref <ref>', 'campaign or intake period of those who are named for the first time')
    .action(withDatabase(importFile))
}

type Options = { format?: ImportFormat; ref?: string }

async function importFile({ db, answer }: Frame, file: string, options: Options): Promise<void> {
  const format = options.format ?? formatOf(file)
  const made = { unitId: null, actor: operator, format, ref: options.ref }
  const received = await receiveImport(db, made, createReadStream(file))
  const done = await workOff(db, received)
  const refusals = await listRefusals(db, done.id, { after: null, limit: told })
  const lines = refusals.slice(0, shown).map(({ line, field, reason }) => {
    return `  line ${line}${field === null ? '' : `, ${field}`}: ${reason}`
  })
  const more = done.refused - lines.length
  answer({ ...done, refusedLines: refusals }, [
    `${done.written} lines written, ${done.refused} refused${done.refused > 0 ? ':' : '.'}`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ])
}

/** Works on it beside whatever workers there are, and shows how far it is. */
function workOff(db: Frame['db'], received: Import): Promise<Import> {
  const format = '{bar} {percentage} %  {value} of {total} lines'
  return withBar({ total: received.lines, format }, async (show) => {
    for (let at = received; ; at = await findOwnImport(db, null, received.id)) {
      show(at.done)
      if (at.state === 'done') return at
      if (!(await workOffChunk(db, received.id))) await sleep(lookAgainMs)
    }
  })
}

function formatOf(file: string): ImportFormat {
  if (/\.csv$/i.test(file)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  throw new UsageError(`Is ${file} CSV or NDJSON? Say it with --format.`)
}
