import type { ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type ImportFormat, importFormats } from '../contract/enums.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Import } from '../contract/subjects/imports.ts'
import { listRefusals } from '../db/queries/subject/import.ts'
import { addressHasher } from '../services/address-hash.ts'
import { findOwnImport } from '../services/imports/find.ts'
import { receiveImport } from '../services/imports/receive.ts'
import { type ImportServices, writeNextChunk } from '../services/imports/write-chunk.ts'
import { secretBoxOf } from '../services/secret-box.ts'
import { type CommandContext, cliActor, withDatabase } from './command.ts'
import { UsageError } from './errors.ts'
import { withProgressBar } from './progress-bar.ts'

/** The most rejected lines printed, without and with --json. */
const linesShown = 20
const linesInJson = 1_000

/** Poll interval while a worker writes a chunk (ms). */
const pollMs = 200

/** `carillon import` */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('import people from a file; workers finish an interrupted import')
    .argument('<file>', 'CSV with a header, or NDJSON')
    .addOption(new Option('--format <format>', 'default: from the file extension').choices(importFormats))
    .option('--ref <ref>', 'campaign or intake period of people who are new')
    .action(withDatabase(importFile))
}

type Options = { format?: ImportFormat; ref?: string }

async function importFile(
  { db, config, answer }: CommandContext,
  file: string,
  options: Options,
): Promise<void> {
  const services = { db, secrets: secretBoxOf(config) }
  const format = options.format ?? formatOf(file)
  const request = { unitId: null, actor: cliActor, format, ref: options.ref }
  const received = await receiveImport(db, request, await read(file))
  const done = await processImport(services, received)
  const refusals = await listRefusals(db, done.id, { after: null, limit: linesInJson })
  const lines = refusals.slice(0, linesShown).map(({ line, field, reason }) => {
    return `  line ${line}${field === null ? '' : `, ${field}`}: ${reason}`
  })
  const more = done.rejected - lines.length
  answer({ ...done, rejectedLines: refusals }, [
    `${done.written} lines written, ${done.rejected} rejected${done.rejected > 0 ? ':' : '.'}`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ])
}

/** Opens the file before anything is stored. */
async function read(file: string): Promise<ReadStream> {
  try {
    const handle = await open(file)
    if ((await handle.stat()).isFile()) return handle.createReadStream()
    await handle.close()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UsageError(
      code === 'ENOENT' ? `There is no file ${file}. Check the path.` : `Cannot read ${file} (${code}).`,
    )
  }
  throw new UsageError(`${file} is not a file.`)
}

/**
 * Writes chunks alongside the workers, and shows the progress. Without the key that addresses need, the workers alone
 * write them.
 */
async function processImport(services: ImportServices, received: Import): Promise<Import> {
  const format = '{bar} {percentage} %  {value} of {total} lines'
  const alone = !(await canHash(services))
  if (alone)
    process.stderr.write(
      'Without the SECRETS_KEY of the workers, they write this import; waiting for them.\n',
    )
  return withProgressBar({ total: received.lines, format }, async (show) => {
    for (let at = received; ; at = await findOwnImport(services.db, null, received.id)) {
      show(at.processed)
      if (at.state === 'completed') return at
      if (alone || !(await writeNextChunk(services, received.id))) await sleep(pollMs)
    }
  })
}

async function canHash({ db, secrets }: ImportServices): Promise<boolean> {
  try {
    return Boolean(await addressHasher(db, secrets))
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

function formatOf(file: string): ImportFormat {
  if (/\.csv$/i.test(file)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  throw new UsageError(
    `Cannot tell the format of ${file} from its name. Give --format csv or --format ndjson.`,
  )
}
