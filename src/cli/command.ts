import type { Command } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { connect, type Db } from '../db/connect.ts'

/** The actor of the command line in the audit log. */
export const cliActor = 'operator:cli'

/** What a command gets. `answer` prints lines for people or, with `--json`, the data for programs. */
export type CommandContext = {
  db: Db
  config: Config
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
    const config = readConfig(process.env)
    const db = connect(config.DATABASE_URL, { poolSize: 2, applicationName: 'carillon-cli' })
    const answer = (data: unknown, lines: string | string[]) => {
      const text = json ? JSON.stringify(data, null, 2) : [lines].flat().join('\n')
      process.stdout.write(`${text}\n`)
    }
    try {
      await work({ db, config, answer }, ...(args.slice(0, -1) as never[]))
    } finally {
      await db.destroy()
    }
  }
}

/** Parses a list: `a,b`, or the option given several times. */
export function parseList(value: string, before: string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim())
  return [...before, ...names.filter((name) => name !== '')]
}

/** Formats rows in columns as wide as their widest cell. */
export function formatColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
