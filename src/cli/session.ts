import { type Command, InvalidArgumentError } from 'commander'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import { findPersonByEmail } from '../db/queries/identity/person.ts'
import { listSessions } from '../db/queries/identity/session.ts'
import { idOrNull } from '../domain/lib/id.ts'
import { closeSession, createSession } from '../services/identity/session.ts'
import { forgetAccount } from '../services/identity/sign-in.ts'
import { answerList, cliActor, withDatabase } from './command.ts'

const defaultHours = 12

/** `carillon session create | list | end | forget` */
export function addSession(program: Command): void {
  const session = program.command('session').description('create, list or end console sessions')
  session
    .command('create')
    .description('open a session for a person and print the value of its cookie hub_session')
    .argument('<email>', 'address of the person')
    .option('--hours <n>', 'lifetime in hours', hours, defaultHours)
    .action(
      withDatabase(async ({ db, answer }, email: string, options: { hours: number }) => {
        const { id: personId } = await personWith(db, email)
        const { token, expiresAt } = await createSession(db, cliActor, { personId, hours: options.hours })
        answer({ token, expiresAt }, token)
      }),
    )
  session
    .command('list')
    .description('list active sessions, newest first')
    .action(
      withDatabase(async (context) => {
        answerList(context, await listSessions(context.db), {
          id: ({ id }) => id,
          expires: ({ expiresAt }) => expiresAt.toISOString(),
          email: ({ email }) => email,
          name: ({ name }) => name,
        })
      }),
    )
  session
    .command('end')
    .description('end a session, effective at once')
    .argument('<id>', 'session id')
    .action(
      withDatabase(async ({ db, answer }, text: string) => {
        const id = idOrNull(text)
        const ended = id && (await db.transaction().execute((trx) => closeSession(trx, cliActor, { id })))
        if (!ended)
          throw new ServiceError('not_found', `No active session ${text}. See: carillon session list`)
        answer({ id }, `Ended session ${id}.`)
      }),
    )
  session
    .command('forget')
    .description(
      'unlink the account that a person signs in with; the next one with their e-mail address is linked instead',
    )
    .argument('<email>', 'address of the person')
    .action(
      withDatabase(async ({ db, answer }, email: string) => {
        const { id, name } = await personWith(db, email)
        await forgetAccount(db, cliActor, id)
        answer(
          { personId: id },
          `Unlinked the account of ${name}. The next account with the address ${email} is linked instead.`,
        )
      }),
    )
}

async function personWith(db: Db, email: string) {
  const person = await findPersonByEmail(db, email)
  if (!person)
    throw new ServiceError('not_found', `No person has the address ${email}. Add one: carillon member add`)
  return person
}

function hours(text: string): number {
  const n = Number(text)
  if (!(n > 0 && n <= 24 * 365)) throw new InvalidArgumentError('Give a number of hours, at most a year.')
  return n
}
