import { type Command, InvalidArgumentError, Option } from 'commander'
import { TimeZone } from '../contract/common.ts'
import { type UnitKind, unitKinds } from '../contract/enums.ts'
import { listUnits } from '../db/queries/identity/unit.ts'
import { createUnit } from '../services/admin/units.ts'
import { cliActor, formatColumns, withDatabase } from './command.ts'

/** `carillon unit create | list` */
export function addUnit(program: Command): void {
  const unit = program.command('unit').description('the units that send messages')
  unit
    .command('create')
    .description('make a unit')
    .argument('<name>')
    .addOption(
      new Option('--kind <kind>', 'an administrative unit may use the Identity API')
        .choices(unitKinds)
        .default('ordinary'),
    )
    .option('--time-zone <name>', 'for quiet hours', timeZone, 'Asia/Taipei')
    .action(
      withDatabase(async ({ db, answer }, name: string, options: { kind: UnitKind; timeZone: string }) => {
        const made = await createUnit(db, cliActor, { name, ...options })
        answer(made, `Unit ${made.name} has the id ${made.id}.`)
      }),
    )
  unit
    .command('list')
    .description('all units, by name')
    .action(
      withDatabase(async ({ db, answer }) => {
        const units = await listUnits(db)
        answer(units, formatColumns(units.map(({ id, kind, name }) => [id, kind, name])))
      }),
    )
}

function timeZone(name: string): string {
  if (TimeZone.safeParse(name).success) return name
  throw new InvalidArgumentError('The name of a time zone, as in Asia/Taipei.')
}
