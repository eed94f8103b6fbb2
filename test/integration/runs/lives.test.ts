import { beforeAll, expect, it } from 'vitest'
import { keysOf } from '../../../src/contract/enums.ts'
import { openRunsWithMail } from '../../fixtures/open-runs.ts'
import { historiesOf } from '../../fixtures/run-histories.ts'
import { warmUp } from '../../fixtures/run-waits.ts'
import { forFile } from '../../harness/for-file.ts'
import { asText } from '../../histories/as-text.ts'
import { lives } from '../../histories/lives.ts'

/** Each life as its history tells it: what a reader of the Temporal UI sees. `vitest -u` rewrites the files. */

const runs = forFile(openRunsWithMail)
beforeAll(async () => {
  await runs.startWorker()
  await warmUp(runs)
})

const all = keysOf(lives).flatMap((kind) =>
  Object.entries(lives[kind]).map(([name, live]) => ({ name, kind, live })),
)

it.each(all)('$name', async ({ name, kind, live }) => {
  const id = await live(runs)
  const texts = (await historiesOf(runs, kind, id)).map(asText)
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(`../../histories/lives/${name}.txt`)
})
