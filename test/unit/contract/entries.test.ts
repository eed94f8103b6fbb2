import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { limits } from '../../../src/contract/limits.ts'
import { describeApi } from '../../../src/contract/openapi/document.ts'
import { ChangePreferences } from '../../../src/contract/subjects/recipients.ts'
import { UpdateSubject } from '../../../src/contract/subjects/subject.ts'

const entries = <Value>(count: number, value: Value) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, value]))

const maps = [
  [
    'categories',
    ChangePreferences,
    limits.preferenceCategories,
    (n: number) => ({ categories: entries(n, {}) }),
  ],
  ['topics', ChangePreferences, limits.preferenceTopics, (n: number) => ({ topics: entries(n, true) })],
  [
    'attributes',
    UpdateSubject,
    limits.profileAttributes,
    (n: number) => ({ profile: { attributes: entries(n, 1) } }),
  ],
] as const

describe('the maps in a request', () => {
  it.each(maps)('%s have a maximum of entries', (name, schema, most, bodyOf) => {
    expect(schema.safeParse(bodyOf(most)).error).toBeUndefined()
    const issues = schema.safeParse(bodyOf(most + 1)).error!.issues
    expect(issues.map(({ message }) => message)).toEqual([`must have at most ${most} ${name}`])
  })

  it('are counted before their entries are checked', () => {
    const wrong = { topics: entries(limits.preferenceTopics + 1, 'no boolean') }
    expect(ChangePreferences.safeParse(wrong).error!.issues).toHaveLength(1)
  })

  it('have it in the description of the API', () => {
    const text = JSON.stringify(describeApi(endpoints))
    for (const [, , most] of maps) expect(text).toContain(`"maxProperties":${most}`)
  })
})
