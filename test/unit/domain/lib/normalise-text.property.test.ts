import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseText } from '../../../../src/domain/lib/normalise-text.ts'

describe('what people type is compared as they mean it', () => {
  it.each([
    [
      '好',
      [
        '好。',
        ' 好 ',
        '「好」',
        '『好』！',
        '好～',
        '好!!',
        '（好）',
        '【好】',
        '好…',
        '*好*',
        '好\u200B',
        '\uFEFF好',
        '—好—',
        '好\uFE0F',
        '《好》',
        '好、',
      ],
    ],
    [
      'yes',
      [
        'Yes',
        'YES',
        'Yes.',
        '“Yes.”',
        "'yes'",
        'ＹＥＳ',
        'y\u00ADes',
        '"Yes!"',
        '‘yes’',
        'yes?',
        '`yes`',
        '\u202Eyes\u202C',
        '- yes',
      ],
    ],
    ['台北', ['臺北', '台北', '臺北。', '台\u200D北']],
    ['裡面', ['裏面', '裡面']],
    ["i'm in", ['I’m in', "I'm in.", 'I‘m  in', 'I\u2019M IN']],
    ['1', ['１', '①', '1.', '(1)', '1、']],
    ['strasse', ['Straße', 'STRASSE', 'STRAẞE']],
    ['3.5', ['3.5', '「3.5」']],
  ])('%s', (meant, typed) => {
    expect(typed.map(normaliseText)).toEqual(typed.map(() => meant))
  })

  it.each([
    ['C', 'C#'],
    ['C', 'C++'],
    ['5', '-5'],
    ['5', '5%'],
    ['好', '好👍'],
    [
      '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
      '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    ],
    ['不要', '要'],
    ['取消', '取消報名'],
  ])('%s is not %s', (one, other) => {
    expect(normaliseText(one)).not.toBe(normaliseText(other))
  })

  it('keeps marks that are all there is', () => {
    expect(['?', '？', '...', '「」'].map(normaliseText)).toEqual(['?', '?', '...', '「」'])
  })

  const around = fc.string({
    unit: fc.constantFrom(...'「」『』。，、！？!?.;:“”‘’"\'()（）【】《》…~～ \u200B\u2060\uFEFF\u00AD\n\t'),
  })
  const words = fc.string({ unit: 'grapheme' })

  it('whatever marks and unseen characters stand around it; to normalise again changes nothing', () => {
    fc.assert(
      fc.property(words, around, around, (text, before, after) => {
        const meant = normaliseText(text)
        expect(normaliseText(meant)).toBe(meant)
        if (/[\p{L}\p{N}]/u.test(meant))
          expect(normaliseText(`${before}${text}${after}`)).toBe(normaliseText(` ${text} `))
      }),
    )
  })
})
