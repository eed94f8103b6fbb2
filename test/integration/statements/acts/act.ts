import type { Db } from '../../../../src/db/connect.ts'
import type { AudienceSpec } from '../../../../src/db/queries/audience/count.ts'
import type { PlantedKey } from '../planted/keys.ts'

/** One act on one key of the planted tables. Only what `watch` is given is explained. */
export type Act = {
  /** How many rows it is about: members of a batch, a page, a list. */
  about: number
  act(world: World, watch: (work: () => Promise<unknown>) => Promise<void>): Promise<void>
}

/** The handle that acts are explained by, and the key that they are about. */
export type World = { db: Db; planted: PlantedKey }

/** The rows of a page. */
export const page = 50

/** A message by mail to everybody, of the unit of a key. */
export const everybody = ({ unitId }: World['planted']): AudienceSpec => ({
  ...{ unitId, categoryId: 'news', layer: 'service', consentScope: null, topicId: null },
  ...{ audience: { kind: 'all' }, plan: { mode: 'all', channels: ['email'] } },
})
