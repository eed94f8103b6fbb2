import { type Command, Option } from 'commander'
import { type Locale, locales } from '../contract/localised-text.ts'
import { insertAudit } from '../db/queries/audit.ts'
import { findPersonByEmail, insertMember, type NewPerson, upsertPerson } from '../db/queries/person.ts'
import type { Role } from '../db/tables.ts'
import { findUnit } from './find-unit.ts'
import { operator, withDatabase } from './frame.ts'
import { UsageError } from './wrong.ts'

type Options = {
  role: Role[]
  name?: string
  systemAdmin?: boolean
  language?: Locale
  notices?: 'on' | 'off'
  uid?: string
}

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
    .addOption(new Option('--language <language>', 'of the mails to them').choices(locales))
    .addOption(new Option('--notices <on|off>', 'mails to approvers about what waits').choices(['on', 'off']))
    .option('--uid <uid>', 'the subject that is the same person: test messages go there')
    .action(
      withDatabase(async ({ db, answer }, named: string, email: string, options: Options) => {
        const unit = await findUnit(db, named)
        const name = options.name ?? (await findPersonByEmail(db, email))?.name
        if (name === undefined) throw new UsageError(`${email} is new here: say who it is with --name.`)
        const personId = await db.transaction().execute(async (trx) => {
          const id = await upsertPerson(trx, { email, name, ...personalOf(options) })
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

function personalOf({ systemAdmin, language, notices, uid }: Options): Partial<NewPerson> {
  return { systemAdmin, language, notices: notices && notices === 'on', subjectUid: uid }
}
