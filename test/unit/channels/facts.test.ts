import { describe, expect, it } from 'vitest'
import { channelFacts } from '../../../src/channels/facts/by-channel.ts'
import { channels } from '../../../src/contract/enums.ts'

describe('the facts of the channels', () => {
  it('give each its own letter in the form of the preferences page, and none that of topics', () => {
    const letters = channels.map((channel) => channelFacts[channel].formLetter)
    expect(letters.every((letter) => /^[a-su-z]$/.test(letter))).toBe(true)
    expect(new Set(letters).size).toBe(channels.length)
  })

  it('name each apart from the others in both languages', () => {
    for (const locale of ['zh-TW', 'en'] as const)
      for (const form of ['title', 'inText', 'inSummary'] as const) {
        const names = channels.map((channel) => channelFacts[channel].names[locale][form])
        expect(new Set(names).size).toBe(channels.length)
      }
  })
})
