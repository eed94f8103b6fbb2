import { type Command, InvalidArgumentError, Option } from 'commander'
import { TimeZone } from '../contract/common.ts'
import { type UnitKind, unitKinds } from '../contract/enums.ts'
import { listUnits } from '../db/queries/identity/unit.ts'
import { createUnit } from '../services/admin/units.ts'
import { answerList, cliActor, withDatabase } from './command.ts'

/** `carillon unit create | list` */
export function addUnit(program: Command): void {
  const unit = program.command('unit').description('create or list units')
  unit
    .command('create')
    .description('create a unit')
    .argument('<name>')
    .addOption(
      new Option('--kind <kind>', 'an administrative unit may use the Identity API')
        .choices(unitKinds)
        .default('ordinary'),
    )
    .option('--time-zone <name>', 'time zone of quiet hours', timeZone, 'Asia/Taipei')
    .action(
      withDatabase(async ({ db, answer }, name: string, options: { kind: UnitKind; timeZone: string }) => {
        const newUnit = await createUnit(db, cliActor, { name, ...options })
        answer(newUnit, `Created unit ${newUnit.name}: ${newUnit.id}`)
      }),
    )
  unit
    .command('list')
    .description('list all units, by name')
    .action(
      withDatabase(async (context) => {
        answerList(context, await listUnits(context.db), {
          id: ({ id }) => id,
          kind: ({ kind }) => kind,
          name: ({ name }) => name,
        })
      }),
    )
}

function timeZone(name: string): string {
  if (TimeZone.safeParse(name).success) return name
  throw new InvalidArgumentError('Give an IANA time zone such as Asia/Taipei.')
}
