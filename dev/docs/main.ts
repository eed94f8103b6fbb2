import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { withErrorTable } from './error-table.ts'
import { growthChart, readGrowth, withGrowth } from './growth.ts'
import { chartOf, newestResults, withResults } from './performance.ts'

/**
 * `npm run docs`: writes the tables of errors in docs/api from the table of operations, and the results of the benches
 * with their chart in docs/performance.md, and how they grow in docs/scaling.md. A test fails if one is outdated.
 */
const folder = resolve(import.meta.dirname, '../../docs/api')
for (const name of readdirSync(folder).filter((one) => one.endsWith('.md'))) {
  const file = resolve(folder, name)
  const page = readFileSync(file, 'utf8')
  const newPage = withErrorTable(page)
  if (newPage !== page) writeFileSync(file, newPage)
}

const docs = resolve(import.meta.dirname, '../../docs')
const newest = newestResults()
const performance = resolve(docs, 'performance.md')
writeFileSync(performance, withResults(readFileSync(performance, 'utf8'), newest))
writeFileSync(resolve(docs, 'images/performance.svg'), chartOf(newest))

const growth = readGrowth()
const scaling = resolve(docs, 'scaling.md')
writeFileSync(scaling, withGrowth(readFileSync(scaling, 'utf8'), growth))
writeFileSync(resolve(docs, 'images/growth.svg'), growthChart(growth))
