import { z } from 'zod'
import { valueDimensions } from '../audience-values.ts'
import { PageQuery, pageOf } from '../common.ts'
import { limits } from '../limits.ts'
import { LocalisedName } from '../localised-text.ts'

const dimension = z.enum(valueDimensions)
const value = z
  .string()
  .min(1)
  .max(limits.nameLength)
  .describe('The value, as profiles and audiences have it, such as `cs`.')

/** What people call a value by which audiences are chosen. */
export const ValueName = z
  .object({
    dimension: dimension.describe('The dimension of the value.'),
    value,
    name: LocalisedName.describe('What people call it.'),
  })
  .meta({ id: 'ValueName', description: 'The name of a value by which audiences are chosen.' })
export type ValueName = z.infer<typeof ValueName>

export const ValueNamePage = pageOf(ValueName).meta({
  id: 'ValueNamePage',
  description: 'One page of the names of the values of a dimension, in the order of the values.',
})

/** Of which dimension. */
export const ValueNameQuery = PageQuery.extend({ dimension: dimension.describe('The dimension.') })
export type ValueNameQuery = z.infer<typeof ValueNameQuery>

export const SetValueNames = z
  .strictObject({
    dimension: dimension.describe('The dimension of the values.'),
    names: z
      .array(
        z.strictObject({ value, name: LocalisedName.nullable().describe('Its name. null: it has none.') }),
      )
      .min(1)
      .max(limits.valueNamesPerCall)
      .describe(
        `The names to set, 1 to ${limits.valueNamesPerCall}; others stay. Of a value given twice, the last.`,
      ),
  })
  .meta({ id: 'SetValueNames', description: 'Names of values to set or remove.' })
export type SetValueNames = z.infer<typeof SetValueNames>

export const ValueNameCount = z
  .object({ changed: z.int().describe('How many values have another name now, or none any more.') })
  .meta({ id: 'ValueNameCount', description: 'What setting names changed.' })
export type ValueNameCount = z.infer<typeof ValueNameCount>
