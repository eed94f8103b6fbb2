import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMessages } from '../../../../dev/simulator/check-message.ts'
import { compileChat } from '../../../../src/channels/chat/compile.ts'
import type { ChatMessage } from '../../../../src/channels/chat/wire.ts'
import { CanonicalMessage } from '../../../../src/contract/messages/content.ts'
import type { ContentWave } from '../../../../src/domain/content/reminder-time.ts'
import { contents } from './arbitraries.ts'

const first: ContentWave = { at: new Date('2026-11-24T01:00:00Z'), timeZone: 'Asia/Taipei' }
const waves: ContentWave[] = ['only', first, 'reminder']
const origin = { m: '019a9d2e-7c1f-7cc0-9d53-0242ac120002' }

describe('everything the contract accepts', () => {
  it('is either reported by path or accepted by the provider, call by call', () => {
    let count = 0
    fc.assert(
      fc.property(contents, fc.constantFrom(...waves), (content, wave) => {
        const messages = content.map((message) => CanonicalMessage.parse(message))
        const { locales, violations } = compileChat({ messages, wave }, origin)
        for (const { path, message } of violations) {
          expect(path).toMatch(/^messages\[\d+\]/)
          expect(at({ messages }, path), path).toBeDefined()
          expect(message.en && message['zh-TW']).toBeTruthy()
        }
        if (violations.length > 0) return
        count += 1
        for (const { parts } of Object.values(locales)) {
          for (const part of parts) expect(checkMessages(part)).toEqual([])
          const declines = parts.flatMap((part) =>
            part.flatMap((message, n) => (declining(message) ? [n] : [])),
          )
          expect(declines).toHaveLength(wave === first ? 1 : 0)
        }
      }),
      { numRuns: 2_000 },
    )
    expect(count).toBeGreaterThan(300) // so that the property is not vacuous
  })

  it('gives the same bytes for the same input', () => {
    fc.assert(
      fc.property(contents, (messages) => {
        const content = { messages, wave: first }
        const once = JSON.stringify(compileChat(content, origin))
        expect(JSON.stringify(compileChat(structuredClone(content), origin))).toBe(once)
      }),
    )
  })
})

/** Whether a message offers to decline the reminder. */
function declining(message: ChatMessage): boolean {
  return JSON.stringify(message).includes('do_not_remind')
}

function at(value: unknown, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)?.[step], value)
}
