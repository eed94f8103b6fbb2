import { type Command, InvalidArgumentError } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { limits } from '../contract/limits.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import { connect, type Db } from '../db/connect.ts'
import type { Page } from '../services/page.ts'
import { UsageError } from './errors.ts'
import { printable, printableJson } from './printable.ts'
import { type Columns, formatTable } from './table.ts'

/** The actor of the command line in the audit log. */
export const cliActor = 'operator:cli'

/** What a command gets. `answer` prints lines for people or, with `--json`, the data for programs. */
export type CommandContext = {
  db: Db
  config: Config
  /** Whether `--json` was given. */
  json: boolean
  answer: (data: unknown, lines: string | string[]) => void
}

/**
 * Wraps a command: reads the configuration, opens the database and closes it at the end. Commander passes the
 * arguments, then the options, then the command.
 */
export function withDatabase(work: (context: CommandContext, ...args: never[]) => Promise<void>) {
  return async (...args: unknown[]): Promise<void> => {
    const command = args.at(-1) as Command
    const json = Boolean(command.optsWithGlobals().json)
    const config = readSettings()
    const db = connect(config.DATABASE_URL, { poolSize: 2, applicationName: 'carillon-cli' })
    const answer = (data: unknown, lines: string | string[]) => {
      const text = json ? printableJson(data) : printable([lines].flat().join('\n'))
      process.stdout.write(`${text}\n`)
    }
    try {
      await work({ db, config, json, answer }, ...(args.slice(0, -1) as never[]))
    } finally {
      await db.destroy()
    }
  }
}

/** @throws UsageError that names every fault */
function readSettings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** The options of a list that is read in pages. */
export type PageOptions = { limit: number; cursor?: string }

/** Adds the options of `PageOptions` to a command. */
export function withPages(command: Command): Command {
  return command
    .option('--limit <n>', 'at most this many', pageSize, 50)
    .option('--cursor <cursor>', 'continue a list: the cursor that the page before it ended with')
}

function pageSize(text: string): number {
  const n = Number(text)
  if (Number.isInteger(n) && n >= 1 && n <= limits.pageSizeMax) return n
  throw new InvalidArgumentError(`Give a whole number from 1 to ${limits.pageSizeMax}.`)
}

/** Prints a page: its rows in columns, and how to get the next one. With `--json`, the page as the API returns it. */
export function answerPage<Item>(
  { answer }: Pick<CommandContext, 'answer'>,
  page: Page<Item>,
  columns: Columns<Item>,
): void {
  const more = page.nextCursor === null ? [] : [`There are more: --cursor ${page.nextCursor}`]
  answer(page, [...formatTable(page.items, columns), ...more])
}

/** Prints a list that has one page, like `answerPage`. */
export function answerList<Item>(
  context: Pick<CommandContext, 'answer'>,
  items: Item[],
  columns: Columns<Item>,
): void {
  answerPage(context, { items, nextCursor: null }, columns)
}

/** A text that is given by its options `--zh` and `--en`. */
export function localisedName({ zh, en }: { zh: string; en?: string }): LocalisedText {
  return { 'zh-TW': zh, ...(en && { en }) }
}

/** Parses a list: `a,b`, or the option given several times. */
export function parseList(value: string, before: string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim())
  return [...before, ...names.filter((name) => name !== '')]
}
