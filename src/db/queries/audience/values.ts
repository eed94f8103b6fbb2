import { type RawBuilder, sql } from 'kysely'
import type { ChosenDimension, ValueDimension } from '../../../contract/audience-values.ts'
import { limits } from '../../../contract/limits.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { Db } from '../../connect.ts'
import { contains, containsLocalised } from '../../contains.ts'
import { profileColumns } from '../subject/subject.ts'

/** A value of a dimension, as an audience names it. */
export type AudienceValue = { id: string; name: LocalisedText }

const columns = { ...profileColumns, tags: 'tags' } as const

/**
 * The values of a dimension that contain a text and that enough people have, in the order of their names. Those of people
 * are counted by reading everybody; of a dynamic group, whose rule the unit has written, nobody is counted.
 */
export async function listValues(
  db: Db,
  unitId: string,
  { dimension, q }: { dimension: ChosenDimension; q: string },
): Promise<AudienceValue[]> {
  const has = (text: RawBuilder<unknown>) => contains(text, q)
  const fewest = sql.lit(limits.fewestOfChoice)
  const most = sql.lit(limits.audienceChoices)
  const valuesOf = {
    groups: () => sql<AudienceValue>`
      select id::text, jsonb_build_object('zh-TW', name) as name from subject_group
      where unit_id = ${unitId} and ${has(sql`name`)} and (kind = 'dynamic' or (
        select count(*) from (select from group_member where group_id = subject_group.id limit ${fewest}) as member
      ) >= ${fewest})
      order by subject_group.name, id limit ${most}`,
    patterns: () => sql<AudienceValue>`
      select id::text, title as name from pattern
      where unit_id = ${unitId} and (${has(sql`title ->> 'zh-TW'`)} or ${has(sql`coalesce(title ->> 'en', '')`)}) and (
        select count(*) from (
          select from registration where pattern_id = pattern.id and state = 'registered' limit ${fewest}) as registered
      ) >= ${fewest}
      order by title ->> 'zh-TW', id limit ${most}`,
    people: (of: ValueDimension) => sql<AudienceValue>`
      select held.value as id, coalesce(name, jsonb_build_object('zh-TW', held.value)) as name
      from (
        select value from subject cross join unnest(${sql.ref(`subject.${columns[of]}`)}) as value
        group by value having count(*) >= ${fewest}
      ) as held
      left join value_name on value_name.value = held.value and dimension = ${of}
      where ${has(sql`held.value`)} or ${containsLocalised(sql`name`, q)}
      order by held.value limit ${most}`,
  }
  const query =
    dimension === 'groups' || dimension === 'patterns' ? valuesOf[dimension]() : valuesOf.people(dimension)
  return (await query.execute(db)).rows
}
