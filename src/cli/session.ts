import { type Command, InvalidArgumentError } from 'commander'
import type { Db } from '../db/connect.ts'
import { findPersonByEmail } from '../db/queries/identity/person.ts'
import { listSessions } from '../db/queries/identity/session.ts'
import { closeSession, createSession } from '../services/identity/session.ts'
import { forgetAccount } from '../services/identity/sign-in.ts'
import { idOrNull } from '../services/validation-error.ts'
import { cliActor, formatColumns, withDatabase } from './command.ts'
import { UsageError } from './errors.ts'

const defaultHours = 12

/** `carillon session create | list | end | forget` */
export function addSession(program: Command): void {
  const session = program.command('session').description('console sessions')
  session
    .command('create')
    .description('open a session for a person; the answer is the value of the cookie hub_session')
    .argument('<email>')
    .option('--hours <n>', 'how long it lasts', hours, defaultHours)
    .action(
      withDatabase(async ({ db, answer }, email: string, options: { hours: number }) => {
        const { id: personId } = await personWith(db, email)
        const { token, expiresAt } = await createSession(db, cliActor, { personId, hours: options.hours })
        answer({ token, expiresAt }, token)
      }),
    )
  session
    .command('list')
    .description('who is signed in, newest first')
    .action(
      withDatabase(async ({ db, answer }) => {
        const sessions = await listSessions(db)
        const rows = sessions.map(({ id, expiresAt, email, name }) => [
          id,
          expiresAt.toISOString(),
          email,
          name,
        ])
        answer(sessions, formatColumns(rows))
      }),
    )
  session
    .command('end')
    .description('sign somebody out at once')
    .argument('<id>')
    .action(
      withDatabase(async ({ db, answer }, given: string) => {
        const id = idOrNull(given)
        const ended = id && (await db.transaction().execute((trx) => closeSession(trx, cliActor, { id })))
        if (!ended) throw new UsageError(`There is no living session ${given}. See: carillon session list`)
        answer({ id }, `The session ${id} is over.`)
      }),
    )
  session
    .command('forget')
    .description(
      'forget which account a person signs in with: the next one with their e-mail address becomes theirs',
    )
    .argument('<email>')
    .action(
      withDatabase(async ({ db, answer }, email: string) => {
        const { id, name } = await personWith(db, email)
        await forgetAccount(db, cliActor, id)
        answer({ personId: id }, `${name} signs in next with any account of ${email}.`)
      }),
    )
}

async function personWith(db: Db, email: string) {
  const person = await findPersonByEmail(db, email)
  if (!person) throw new UsageError(`Nobody has the address ${email}. Add them: carillon member add`)
  return person
}

function hours(text: string): number {
  const n = Number(text)
  if (!(n > 0 && n <= 24 * 365)) throw new InvalidArgumentError('A number of hours, up to a year.')
  return n
}
