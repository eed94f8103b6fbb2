import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CanonicalMessage, CardMessage } from '../../../src/contract/messages/content.ts'
import { titleOf } from '../../../src/domain/content/title.ts'

const category = { 'zh-TW': '公告', en: 'Notice' }
const text = (zh: string): CanonicalMessage => ({ kind: 'text', text: { 'zh-TW': zh } })
const card = (title: string): CardMessage => ({ kind: 'card', title: { 'zh-TW': title }, actions: [] })
const sticker: CanonicalMessage = { kind: 'sticker', packageId: '1', stickerId: '1' }

describe('the title of a message', () => {
  it('is the subject of its template', () => {
    expect(titleOf([card('卡')], { 'zh-TW': '主旨' }, category)).toEqual({ 'zh-TW': '主旨' })
  })

  it('else the title of its first card, also of one in a carousel', () => {
    expect(titleOf([text('先'), card('卡')], null, category)).toEqual({ 'zh-TW': '卡' })
    expect(titleOf([{ kind: 'carousel', cards: [card('一'), card('二')] }], null, category)).toEqual({
      'zh-TW': '一',
    })
  })

  it('else the beginning of its first text, on one line', () => {
    expect(titleOf([sticker, text('第一行\n第二行')], null, category)).toEqual({ 'zh-TW': '第一行 第二行' })
  })

  it('of a long text: its first sixty characters, without cutting a character', () => {
    const family = '👨‍👩‍👧'
    expect(titleOf([text(family.repeat(61))], null, category)).toEqual({ 'zh-TW': `${family.repeat(60)}…` })
    expect(titleOf([text(family.repeat(60))], null, category)).toEqual({ 'zh-TW': family.repeat(60) })
  })

  it('is never blank: blank texts are skipped', () => {
    const blank = { 'zh-TW': ' \n', en: ' ' }
    expect(titleOf([card(' '), text('先')], blank, category)).toEqual({ 'zh-TW': '先' })
    const headed: CardMessage = { ...card(' '), header: { 'zh-TW': '頁首' } }
    expect(titleOf([headed], { 'zh-TW': '' }, category)).toEqual({ 'zh-TW': '頁首' })
    expect(titleOf([text('\u3000')], null, category)).toEqual(category)
    expect(titleOf([], { 'zh-TW': '主旨', en: ' ' }, category)).toEqual({ 'zh-TW': '主旨' })
    expect(titleOf([{ kind: 'text', text: { 'zh-TW': '字', en: ' ' } }], null, category)).toEqual({
      'zh-TW': '字',
    })
  })

  it('else the name of its category', () => {
    expect(titleOf([sticker], null, category)).toEqual(category)
  })
})

it('reads no more of a long text than it shows', () => {
  const segment = Intl.Segmenter.prototype.segment
  let read = 0
  const spy = vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function* (
    this: Intl.Segmenter,
    line: string,
  ) {
    for (const one of segment.call(this, line)) {
      read += 1
      yield one
    }
  } as never)
  onTestFinished(() => spy.mockRestore())
  expect(titleOf([text('字'.repeat(40_000))], null, category)['zh-TW']).toBe(`${'字'.repeat(60)}…`)
  expect(read).toBe(61)
})
