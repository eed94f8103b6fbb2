import { type Command, Option } from 'commander'
import { insertAudit } from '../db/queries/audit.ts'
import { insertUnit, listUnits } from '../db/queries/unit.ts'
import type { UnitKind } from '../db/tables.ts'
import { columns, operator, withDatabase } from './frame.ts'

/** `carillon unit create | list` */
export function addUnit(program: Command): void {
  const unit = program.command('unit').description('the units that send messages')
  unit
    .command('create')
    .description('make a unit')
    .argument('<name>')
    .addOption(
      new Option('--kind <kind>', 'an administrative unit may use the Identity API')
        .choices(['ordinary', 'administrative'])
        .default('ordinary'),
    )
    .option('--time-zone <name>', 'for quiet hours', 'Asia/Taipei')
    .action(
      withDatabase(async ({ db, answer }, name: string, options: { kind: UnitKind; timeZone: string }) => {
        const made = await db.transaction().execute(async (trx) => {
          const row = await insertUnit(trx, { name, ...options })
          const audit = { unitId: row.id, actor: operator, action: 'create' }
          await insertAudit(trx, { ...audit, objectKind: 'unit', objectId: row.id })
          return row
        })
        answer(made, `Unit ${made.name} has the id ${made.id}.`)
      }),
    )
  unit
    .command('list')
    .description('all units, by name')
    .action(
      withDatabase(async ({ db, answer }) => {
        const units = await listUnits(db)
        answer(units, columns(units.map(({ id, kind, name }) => [id, kind, name])))
      }),
    )
}
