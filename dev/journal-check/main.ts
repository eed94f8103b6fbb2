import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { type CommandContext, withDatabase } from '../../src/cli/command.ts'
import { answerFindings } from '../../src/cli/doctor.ts'
import { reportError, UsageError } from '../../src/cli/errors.ts'
import type { Db } from '../../src/db/connect.ts'
import type { Finding } from '../../src/db/queries/doctor/doctor.ts'
import { checkChatJournal } from './chat.ts'
import type { JournalEntry, MailJournalEntry } from './journals.ts'
import { checkLookups, type LookupJournalEntry } from './lookups.ts'
import { checkMailJournal } from './mail.ts'

/**
 * `npm run check:journals -- DIR`: compares the rows of DATABASE_URL with the journals of chat simulator,
 * mailbox and producer.
 */
const program = new Command('check:journals')
  .description(
    'compare the rows with the journals of chat simulator, mailbox and producer; exits with 1 if they differ',
  )
  .argument('<dir>', 'folder of a journal, or the data folder with all of them')
  .option('--json', 'print JSON, for programs')
  .exitOverride()
  .action(withDatabase(checkJournals))

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = reportError(error)
}

async function checkJournals(frame: CommandContext, dir: string): Promise<void> {
  const files = ['', 'simulator', 'mailbox', 'producer']
    .map((folder) => join(dir, folder, 'journal.jsonl'))
    .filter(existsSync)
  if (files.length === 0)
    throw new UsageError(`No journal.jsonl in ${dir}. Give the folder of a journal, or the data folder.`)
  const findings: Finding[] = []
  for (const file of files) findings.push(...(await checkJournal(frame.db, file)))
  answerFindings(frame, findings)
}

async function checkJournal(db: Db, file: string): Promise<Finding[]> {
  const entries = readJournal(file)
  const mails = entries.filter((entry) => 'messageId' in entry)
  const calls = entries.filter((entry) => 'retryKey' in entry)
  const lookups = entries.filter((entry) => 'refusal' in entry)
  if (lookups.length > 0 || file.includes('producer')) return checkLookups(db, lookups)
  return mails.length > 0 || file.includes('mailbox')
    ? await checkMailJournal(db, mails)
    : await checkChatJournal(db, calls)
}

function readJournal(file: string): (JournalEntry | MailJournalEntry | LookupJournalEntry)[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1) // a line torn by a kill has no line end
  return lines.map((line) => JSON.parse(line))
}
