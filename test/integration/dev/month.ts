import { sleep } from '@temporalio/workflow'

/** A workflow that lasts a month. */
export async function month(): Promise<void> {
  await sleep('30 days')
}
