import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { checkInvariants, type Finding } from '../db/queries/doctor.ts'
import { checkChatJournal, type JournalEntry } from '../services/journal-check.ts'
import { type Frame, withDatabase } from './frame.ts'
import { exitCodes, UsageError } from './wrong.ts'

/** `carillon doctor` */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check what must always be true; exit code 1 where something is not')
    .option('--journal <dir>', 'also hold the rows against what the chat simulator wrote down there')
    .action(withDatabase(doctor))
}

async function doctor({ db, answer }: Frame, { journal }: { journal?: string }): Promise<void> {
  const findings = await checkInvariants(db)
  if (journal !== undefined) findings.push(...(await checkChatJournal(db, readJournal(journal))))
  answer(findings, findings.flatMap(linesOf))
  if (findings.some(({ ok }) => !ok)) process.exitCode = exitCodes.failed
}

function linesOf({ name, means, ok, count, violations }: Finding): string[] {
  const more = count - violations.length
  return [
    `${ok ? 'ok      ' : 'VIOLATED'}  ${name.padEnd(12)}  ${means}`,
    ...violations.map((violation) => `          ${violation}`),
    ...(more > 0 ? [`          and ${more} more`] : []),
  ]
}

/** The journal of the chat simulator, in its own folder or in the data folder around it. */
function readJournal(dir: string): JournalEntry[] {
  const file = [join(dir, 'journal.jsonl'), join(dir, 'simulator', 'journal.jsonl')].find(existsSync)
  if (file === undefined) throw new UsageError(`There is no journal.jsonl in ${dir}.`)
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1) // what a kill cut off has no line end
  return lines.map((line) => JSON.parse(line) as JournalEntry)
}
