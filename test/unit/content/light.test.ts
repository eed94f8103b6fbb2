import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBlank, linksOf, parseLight, plainOf } from '../../../src/domain/content/light.ts'

describe('a lightly formatted text', () => {
  it('has headings, paragraphs, lists, bold and links', () => {
    const text =
      '# 開放日\n\n請**準時**到[禮堂](https://example.edu/hall)。\n第二行\n\n- 學生證\n- 報名編號\n\n1. 簽到\n2. 入座'
    expect(parseLight(text)).toEqual([
      { kind: 'heading', spans: [{ text: '開放日' }] },
      {
        kind: 'paragraph',
        spans: [
          { text: '請' },
          { text: '準時', bold: true },
          { text: '到' },
          { text: '禮堂', url: 'https://example.edu/hall' },
          { text: '。' },
          { text: '\n' },
          { text: '第二行' },
        ],
      },
      {
        kind: 'list',
        ordered: false,
        items: [{ spans: [{ text: '學生證' }] }, { spans: [{ text: '報名編號' }] }],
      },
      {
        kind: 'list',
        ordered: true,
        items: [
          { number: 1, spans: [{ text: '簽到' }] },
          { number: 2, spans: [{ text: '入座' }] },
        ],
      },
    ])
    expect(plainOf(parseLight(text))).toBe(
      '開放日\n\n請準時到禮堂（https://example.edu/hall）。\n第二行\n\n• 學生證\n• 報名編號\n\n1. 簽到\n2. 入座',
    )
  })

  it.each([
    ['`code`', '`code`'],
    ['*slanted*', '*slanted*'],
    ['> quoted', '> quoted'],
    ['<b>no HTML</b>', '<b>no HTML</b>'],
    ['![picture](https://example.edu/a.png)', '!picture（https://example.edu/a.png）'],
    ['a | b', 'a | b'],
    ['---', '---'],
  ])('has nothing else: %s', (text, plain) => {
    expect(plainOf(parseLight(text))).toBe(plain)
  })

  it.each([
    ['請看**「重要」**事項', '「重要」'],
    ['請到**[禮堂](https://example.edu)**報到', '禮堂'],
    ['截止日期是**12/5（五）**。', '12/5（五）'],
  ])('is bold beside Chinese without spaces: %s', (text, bold) => {
    const [block] = parseLight(text)
    expect(block).toMatchObject({
      spans: expect.arrayContaining([expect.objectContaining({ text: bold, bold: true })]),
    })
  })

  it('keeps every address of a link, for the channels to judge', () => {
    expect(
      linksOf(parseLight('[a](javascript:alert(1)) [b](https://example.edu) - [**c** d](tel:1)')),
    ).toEqual(['javascript:alert(1)', 'https://example.edu', 'tel:1', 'tel:1'])
  })

  it('names the address of a link once, after its words, however they are marked', () => {
    expect(plainOf(parseLight('[**a** b](https://example.edu)'))).toBe('a b（https://example.edu）')
    expect(plainOf(parseLight('[https://example.edu](https://example.edu)'))).toBe('https://example.edu')
  })

  it.each([
    ['1. 填表\n\n請先登入。\n\n2. 繳費', '1. 填表\n\n請先登入。\n\n2. 繳費'],
    ['3. 甲\n5. 乙\n4. 丙', '3. 甲\n5. 乙\n4. 丙'],
    ['1. 甲\n1. 乙\n1. 丙', '1. 甲\n2. 乙\n3. 丙'],
    ['1. 甲\n\n   說明\n\n2. 乙', '1. 甲\n說明\n2. 乙'],
    ['- 甲\n  1. 乙\n  2. 丙\n- 丁', '• 甲\n1. 乙\n2. 丙\n• 丁'],
    ['1. 甲\n   - 乙\n\n   丙\n2. 丁', '1. 甲\n• 乙\n\n丙\n2. 丁'],
    ['2027. 1 月 1 日', '2027. 1 月 1 日'],
    ['- 2027. 1 月 1 日', '• 2027. 1 月 1 日'],
    ['007. 號', '007. 號'],
    ['12) 月', '12. 月'],
  ])('tells the numbers that were written: %j', (text, plain) => {
    expect(plainOf(parseLight(text))).toBe(plain)
  })

  it.each(['- ', '#', '1. ', '- \n- ', '[](https://example.edu)', '\u00AD', '- \u200D', '\u2800'])(
    'is blank, whatever marks it has: %j',
    (text) => expect(isBlank(parseLight(text))).toBe(true),
  )

  it('loses no letter of a text without marks', () => {
    const letters = fc.stringMatching(/^[\p{Script=Han}a-z0-9。，]+$/u)
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), (words) => {
        const text = words.join(' ')
        expect(plainOf(parseLight(text)).replace(/^(\d+)[.)]/, '$1.')).toBe(text)
      }),
    )
  })

  it('is read however it is written', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void plainOf(parseLight(text))))
  })
})
