import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linksOf, parseLight, plainOf } from '../../../src/domain/content/light.ts'

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
      { kind: 'list', ordered: false, items: [[{ text: '學生證' }], [{ text: '報名編號' }]] },
      { kind: 'list', ordered: true, items: [[{ text: '簽到' }], [{ text: '入座' }]] },
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
  ])('has nothing else: %s', (text, shown) => {
    expect(plainOf(parseLight(text))).toBe(shown)
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
