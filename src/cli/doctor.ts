import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Db } from '../db/connect.ts'
import { checkInvariants, type Finding } from '../db/queries/maintenance/doctor.ts'
import { checkChatJournal, type JournalEntry } from '../services/journal-check.ts'
import { checkMailJournal, type MailJournalEntry } from '../services/mail-journal-check.ts'
import { type Frame, withDatabase } from './frame.ts'
import { exitCodes, UsageError } from './wrong.ts'

/** `carillon doctor` */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check what must always be true; exit code 1 where something is not')
    .option('--journal <dir>', 'also hold the rows against what chat simulator and mailbox wrote down there')
    .action(withDatabase(doctor))
}

async function doctor({ db, answer }: Frame, { journal }: { journal?: string }): Promise<void> {
  const findings = await checkInvariants(db)
  if (journal !== undefined) findings.push(...(await checkJournals(db, journal)))
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

/** The journals of chat simulator and mailbox: in a folder of one of them, or in the data folder around both. */
async function checkJournals(db: Db, dir: string): Promise<Finding[]> {
  const files = ['', 'simulator', 'mailbox']
    .map((folder) => join(dir, folder, 'journal.jsonl'))
    .filter(existsSync)
  if (files.length === 0) throw new UsageError(`There is no journal.jsonl in ${dir}.`)
  const findings: Finding[] = []
  for (const file of files) {
    const entries = readJournal(file)
    const mails = entries.filter((entry) => 'messageId' in entry)
    const calls = entries.filter((entry) => 'retryKey' in entry)
    if (mails.length > 0 || file.includes('mailbox')) findings.push(...(await checkMailJournal(db, mails)))
    else findings.push(...(await checkChatJournal(db, calls)))
  }
  return findings
}

function readJournal(file: string): (JournalEntry | MailJournalEntry)[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1) // what a kill cut off has no line end
  return lines.map((line) => JSON.parse(line))
}
