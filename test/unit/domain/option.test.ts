import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileEmail } from '../../../src/channels/email/compile.ts'
import type { CanonicalMessage } from '../../../src/contract/messages/content.ts'
import { findOption } from '../../../src/domain/content/option.ts'
import { contents } from '../channels/chat/arbitraries.ts'
import { contentOf } from '../channels/email/content.ts'

const label = { 'zh-TW': '會' }
const url = 'https://example.edu'

describe('the option that was pressed', () => {
  it('is found for every link that a mail offers', () => {
    fc.assert(
      fc.property(contents, (messages) => {
        const [mail] = compileEmail(contentOf(messages)).locales.en.parts[0]!
        for (const piece of mail!.html)
          if (typeof piece !== 'string' && 'o' in piece)
            expect(findOption(messages, piece.n, piece.o)).not.toBeNull()
      }),
    )
  })

  it('has the producer’s own id, otherwise its place, and the question that it answers', () => {
    const messages: CanonicalMessage[] = [
      { kind: 'quickReply', text: label, options: [{ id: 'yes', label }] },
      {
        kind: 'carousel',
        cards: [
          { kind: 'card', title: label, actions: [{ kind: 'mute', label, categoryId: 'news' }] },
          { kind: 'card', title: label, actions: [{ kind: 'nextNode', label, nodeId: 'n', optionId: 'no' }] },
        ],
      },
      {
        kind: 'buttons',
        text: label,
        actions: [
          { kind: 'postback', label, data: { v: 1, o: '', a: 'a' } },
          { kind: 'addToGroup', label, groupId: 'g' },
        ],
      },
    ]
    expect(findOption(messages, 0, '0')).toEqual({
      ...{ asks: label, label, id: 'yes', question: '0' },
      answers: 'yes',
    })
    expect(findOption(messages, 1, '0.0')).toEqual({
      asks: label,
      label,
      id: '2.1.1',
      question: '1.0.0',
      mutes: 'news',
    })
    expect(findOption(messages, 1, '1.0')).toEqual({
      ...{ asks: label, label, id: 'no', question: '1.1' },
      answers: 'no',
    })
    const data = { v: 1, o: '', a: 'a' }
    expect(findOption(messages, 2, '0')).toEqual({ asks: label, label, id: '3.1', question: '2', data })
    expect(findOption(messages, 2, '1')).toEqual({
      asks: label,
      label,
      id: '3.2',
      question: '2.1',
      joins: 'g',
    })
  })

  it.each([
    [0, '0'],
    [0, '9'],
    [0, '1.0'],
    [1, '0'],
    [9, '0'],
    [0, ''],
    [0, '01'],
    [0, '1e0'],
    [0, ' 1'],
  ])('is nothing where there is no such option, and for a link: %i/%s', (n, o) => {
    const messages: CanonicalMessage[] = [
      {
        kind: 'buttons',
        text: label,
        actions: [
          { kind: 'uri', label, url },
          { kind: 'mute', label, categoryId: 'x' },
        ],
      },
      { kind: 'text', text: label },
    ]
    expect(findOption(messages, n, o)).toBeNull()
  })
})
