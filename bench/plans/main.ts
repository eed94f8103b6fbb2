import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type pg from 'pg'
import { openInstallation } from '../installation.ts'
import { plant } from './plant.ts'

/**
 * `npm run bench:plans [-- --write]`: how Postgres would run the hot statements, those in test/golden, in an installation
 * with 100,000 of everything, before it has statistics and after. Compares the plans with those that a run with --write has
 * left beside this file, or writes them. A plan that has changed is no fault, but has to be looked at.
 */
const many = 100_000
const plansDir = join(import.meta.dirname, 'statements')
const statementsDir = resolve(import.meta.dirname, '../../test/golden')

const installation = await openInstallation()
const { databaseUrl } = installation.environment.addresses
const changed = await installation
  .plainly(databaseUrl, async (client) => {
    await client.query('alter system set autovacuum = off')
    await client.query('select pg_reload_conf()')
    await plant(installation, many)
    const before = await explainAll(client)
    // Every row is sampled: the plans are the same each time.
    await client.query('set default_statistics_target = 10000')
    await client.query('vacuum analyze')
    return compare(before, await explainAll(client))
  })
  .finally(() => installation.close())
process.stdout.write(changed.length === 0 ? 'Every plan is as it was.\n' : `Changed: ${changed.join(', ')}\n`)
process.exit(changed.length === 0 ? 0 : 1)

/** The plans of all statements, by the name of their file. Those of parameters that nobody knows yet: nothing is run. */
async function explainAll(client: pg.Client): Promise<Map<string, string>> {
  const plans = new Map<string, string>()
  for (const file of readdirSync(statementsDir)) {
    const statements = readFileSync(join(statementsDir, file), 'utf8').split(/;\n/)
    const each: string[] = []
    for (const statement of statements) {
      if (!/^\s*(with|select|insert|update|delete)\b/.test(statement)) continue
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan, costs off) ${statement}`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      each.push(plan.replaceAll(/delivery_\d{4}_\d\d/g, 'delivery_month'))
    }
    plans.set(basename(file, '.sql'), each.join('\n\n'))
  }
  return plans
}

/** Which plans differ from the ones that are stored; with `--write`, stores them. */
function compare(before: Map<string, string>, after: Map<string, string>): string[] {
  const changed: string[] = []
  mkdirSync(plansDir, { recursive: true })
  for (const [name, plan] of before) {
    const text = `Without statistics\n\n${plan}\n\nWith statistics\n\n${after.get(name)}\n`
    const path = join(plansDir, `${name}.txt`)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    if (process.argv.includes('--write')) writeFileSync(path, text)
    else changed.push(name)
  }
  return changed
}
