import { type Command, InvalidArgumentError } from 'commander'
import { findPersonByEmail } from '../db/queries/person.ts'
import { createSession } from '../services/credentials.ts'
import { operator, withDatabase } from './frame.ts'
import { UsageError } from './wrong.ts'

const defaultHours = 12

/** `carillon session create` */
export function addSession(program: Command): void {
  program
    .command('session')
    .description('console sessions')
    .command('create')
    .description('open a session for a person; the answer is the value of the cookie hub_session')
    .argument('<email>')
    .option('--hours <n>', 'how long it lasts', hours, defaultHours)
    .action(
      withDatabase(async ({ db, answer }, email: string, options: { hours: number }) => {
        const person = await findPersonByEmail(db, email)
        if (!person) throw new UsageError(`Nobody has the address ${email}. Add them: carillon member add`)
        const { token, expiresAt } = await createSession(db, operator, {
          personId: person.id,
          hours: options.hours,
        })
        answer({ token, expiresAt }, token)
      }),
    )
}

function hours(text: string): number {
  const n = Number(text)
  if (!(n > 0 && n <= 24 * 365)) throw new InvalidArgumentError('A number of hours, up to a year.')
  return n
}
