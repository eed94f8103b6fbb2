import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lightMarksOf } from '../../../src/contract/light-marks.ts'
import { limits } from '../../../src/contract/limits.ts'
import { CreateMessage, EditMessage } from '../../../src/contract/messages/create.ts'
import { CreateTemplate, CreateTemplateVersion } from '../../../src/contract/templates/template.ts'
import { textLengthOf } from '../../../src/contract/text-length.ts'

/** Two texts with this many characters in all strings together, of which the kinds are 8. */
function content(length: number) {
  const zh = 'x'.repeat(Math.floor((length - 8) / 2))
  const en = 'x'.repeat(length - 8 - zh.length)
  return {
    messages: [
      { kind: 'text', text: { 'zh-TW': zh } },
      { kind: 'text', text: { 'zh-TW': en } },
    ],
  }
}

const head = { categoryId: 'news' }
const bodies = {
  CreateMessage: (length: number) =>
    CreateMessage.safeParse({ ...head, audience: { kind: 'all' }, ...content(length) }),
  EditMessage: (length: number) => EditMessage.safeParse(content(length)),
  CreateTemplate: (length: number) => CreateTemplate.safeParse({ ...head, name: 'T', ...content(length) }),
  CreateTemplateVersion: (length: number) => CreateTemplateVersion.safeParse(content(length)),
}

it.each(Object.entries(bodies))(
  '%s takes as many characters as documented, and says how many there are beyond',
  (_, parse) => {
    expect(parse(limits.textLength).error).toBeUndefined()
    const { error } = parse(limits.textLength + 1)
    expect(error?.issues).toMatchObject([
      { path: ['messages'], message: expect.stringContaining(`not ${limits.textLength + 1};`) },
    ])
  },
)

describe('the length of all texts', () => {
  it('is the sum of all strings, at any depth', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const sum = texts.reduce((total, text) => total + text.length, 0)
        const nested = texts.reduce<unknown>((inner, text) => [{ text, inner, no: null, n: 1 }], undefined)
        expect(textLengthOf(texts)).toBe(sum)
        expect(textLengthOf(nested)).toBe(sum)
      }),
    )
  })

  it('is found in nesting that no stack holds', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(textLengthOf(deep)).toBe(1)
  })
})

describe('the marks of all lightly formatted texts', () => {
  const light = (marks: number) => {
    const zh = '*'.repeat(Math.floor(marks / 2))
    const en = `\n- ${'['.repeat(Math.max(0, Math.ceil(marks / 2) - 1))}`
    return { messages: [{ kind: 'text', format: 'light', text: { 'zh-TW': zh, en } }] }
  }

  it('are at most as many as documented, together', () => {
    expect(lightMarksOf(light(limits.lightMarks))).toBe(limits.lightMarks)
    expect(EditMessage.safeParse(light(limits.lightMarks)).error).toBeUndefined()
    expect(EditMessage.safeParse(light(limits.lightMarks + 1)).error?.issues).toMatchObject([
      { path: ['messages'], message: expect.stringContaining(`not ${limits.lightMarks + 1};`) },
    ])
  })

  it('of a plain text are none', () => {
    expect(lightMarksOf({ messages: [{ kind: 'text', text: { 'zh-TW': '**' } }] })).toBe(0)
  })
})
