import { type Command, Option } from 'commander'
import {
  type AuthorNotice,
  authorNotices,
  isOneOf,
  type Locale,
  locales,
  type Role,
  roles,
} from '../contract/enums.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import { findPersonByEmail } from '../db/queries/identity/person.ts'
import { changeRoles, listMembers } from '../services/admin/members.ts'
import { createPerson, editPerson } from '../services/admin/persons.ts'
import { cliActor, withDatabase } from './command.ts'
import { UsageError } from './errors.ts'
import { findUnit } from './find-unit.ts'
import { formatTable } from './table.ts'

type Options = {
  role: Role[]
  name?: string
  systemAdmin?: boolean
  language?: Locale
  notices?: 'on' | 'off'
  authorNotices?: string
  handoffNotices?: 'on' | 'off'
  uid?: string
}

const roleOption = (what: string) =>
  new Option('--role <roles...>', what).choices(roles).makeOptionMandatory()

/** `carillon member add | remove | list` */
export function addMember(program: Command): void {
  const member = program.command('member').description('add, remove or list members of a unit')
  member
    .command('add')
    .description('give a person roles in a unit; creates the person if the address is new')
    .argument('<unit>', 'id or name')
    .argument('<email>', 'address of the person')
    .addOption(roleOption('editors write messages, approvers approve or reject them'))
    .option('--name <name>', 'name of a new person')
    .option('--system-admin', 'make the person a system administrator')
    .addOption(new Option('--language <language>', 'language of mails to the person').choices(locales))
    .addOption(new Option('--notices <on|off>', 'mails about messages to approve').choices(['on', 'off']))
    .option(
      '--author-notices <list>',
      `mails about messages they wrote, of ${authorNotices.join(',')}; or none`,
    )
    .addOption(new Option('--handoff-notices <on|off>', 'mails about handoffs').choices(['on', 'off']))
    .option('--uid <uid>', 'uid of the subject who receives test messages to the person')
    .action(
      withDatabase(async ({ db, answer }, named: string, email: string, options: Options) => {
        const unit = await findUnit(db, named)
        const person = await savePerson(db, email, options)
        await changeRoles(db, cliActor, unit.id, { personId: person.id, add: options.role })
        const data = { personId: person.id, unitId: unit.id, roles: options.role }
        answer(data, `Added ${person.name} to ${unit.name} as ${options.role.join(' and ')}.`)
      }),
    )
  member
    .command('remove')
    .description('remove roles of a person in a unit')
    .argument('<unit>', 'id or name')
    .argument('<email>', 'address of the person')
    .addOption(roleOption('roles to remove'))
    .action(
      withDatabase(async ({ db, answer }, named: string, email: string, { role }: { role: Role[] }) => {
        const unit = await findUnit(db, named)
        const person = await findPersonByEmail(db, email)
        if (!person)
          throw new ServiceError('not_found', `No person has the address ${email}. Check the spelling.`)
        const left = await changeRoles(db, cliActor, unit.id, { personId: person.id, remove: role })
        const data = { personId: person.id, unitId: unit.id, roles: left.roles }
        answer(data, `Removed ${person.name} from ${unit.name} as ${role.join(' and ')}.`)
      }),
    )
  member
    .command('list')
    .description('list the members of a unit with their roles')
    .argument('<unit>', 'id or name')
    .action(
      withDatabase(async ({ db, answer }, named: string) => {
        const page = await listMembers(db, (await findUnit(db, named)).id)
        const table = formatTable(page.items, {
          id: ({ id }) => id,
          email: ({ email: of }) => of,
          roles: ({ roles }) => roles.join(', '),
          name: ({ name }) => name,
        })
        answer(page, table)
      }),
    )
}

/** Creates or updates the person with this address. */
async function savePerson(
  db: Db,
  email: string,
  { name, systemAdmin, language, uid, ...mails }: Options,
): Promise<{ id: string; name: string }> {
  const { notices, authorNotices, handoffNotices } = mails
  const fields = {
    name,
    systemAdmin,
    language,
    subjectUid: uid,
    notices: notices && notices === 'on',
    authorNotices: authorNotices === undefined ? undefined : kindsIn(authorNotices),
    handoffNotices: handoffNotices && handoffNotices === 'on',
  }
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const person = await findPersonByEmail(db, email)
  if (person) return Object.keys(changes).length > 0 ? editPerson(db, cliActor, person.id, changes) : person
  if (name === undefined)
    throw new UsageError(`No person has the address ${email}. To create the person, add --name.`)
  return createPerson(db, cliActor, { email, name, ...changes })
}

/** The kinds in `rejected,parked`; `none` is an empty list. */
function kindsIn(text: string): AuthorNotice[] {
  if (text === 'none') return []
  return text.split(',').map((kind) => {
    if (isOneOf(authorNotices, kind)) return kind
    throw new UsageError(`--author-notices takes ${authorNotices.join(', ')}, separated by commas, or none.`)
  })
}
