import { type Command, Option } from 'commander'
import { insertAudit } from '../db/queries/audit.ts'
import { findPersonByEmail, insertMember, upsertPerson } from '../db/queries/person.ts'
import type { Role } from '../db/tables.ts'
import { findUnit } from './find-unit.ts'
import { operator, withDatabase } from './frame.ts'
import { UsageError } from './wrong.ts'

type Options = { role: Role[]; name?: string; systemAdmin?: boolean }

/** `carillon member add` */
export function addMember(program: Command): void {
  program
    .command('member')
    .description('the people who work in a unit')
    .command('add')
    .description('give a person roles in a unit; an unknown one is written down first')
    .argument('<unit>', 'id or name')
    .argument('<email>')
    .addOption(
      new Option('--role <roles...>', 'editors write, approvers decide')
        .choices(['editor', 'approver'])
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'of somebody new')
    .option('--system-admin', 'may administer everything')
    .action(
      withDatabase(async ({ db, answer }, named: string, email: string, options: Options) => {
        const unit = await findUnit(db, named)
        const name = options.name ?? (await findPersonByEmail(db, email))?.name
        if (name === undefined) throw new UsageError(`${email} is new here: say who it is with --name.`)
        const personId = await db.transaction().execute(async (trx) => {
          const id = await upsertPerson(trx, { email, name, systemAdmin: options.systemAdmin })
          await insertMember(trx, unit.id, id, options.role)
          const audit = { unitId: unit.id, actor: operator, action: 'add', details: { roles: options.role } }
          await insertAudit(trx, { ...audit, objectKind: 'member', objectId: id })
          return id
        })
        const data = { personId, unitId: unit.id, roles: options.role }
        answer(data, `${name} is ${options.role.join(' and ')} in ${unit.name}.`)
      }),
    )
}
