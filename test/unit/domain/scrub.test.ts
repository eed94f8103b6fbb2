import { describe, expect, it } from 'vitest'
import { scrub } from '../../../src/domain/lib/scrub.ts'

describe('an error as it may be logged', () => {
  it.each([
    ['a mail address', 'Message failed: 550 5.1.1 <mei.lin@example.edu>: no such user', 'mei.lin'],
    ['a chat address', 'unknown user U0123456789abcdef0123456789abcdef', '0123456789abcdef'],
    ['a value that Postgres quotes', 'invalid input syntax for type uuid: "林美玲"', '林美玲'],
    ['a text in quotes', "cannot render 'Dear Mei'", 'Mei'],
    ['a telephone number', 'rejected +886 912-345-678', '345'],
    ['a name in its own script', 'no consent of 林美玲', '美'],
    ['the template that a renderer repeats', 'undefined variable: room\n>> 1| Dear Mei, {{ room }}', 'Mei'],
  ])('does not hold %s', (_what, message, secret) => {
    const line = JSON.stringify(scrub(new Error(message)))
    expect(line).not.toContain(secret)
  })

  it('keeps name, code, location and plain words', () => {
    const error = Object.assign(new TypeError('connect ECONNREFUSED 127.0.0.1:5432'), {
      code: 'ECONNREFUSED',
    })
    const scrubbed = scrub(error)
    expect(scrubbed).toMatchObject({ name: 'TypeError', code: 'ECONNREFUSED', message: error.message })
    expect(scrubbed.at[0]).toMatch(/^at .*scrub\.test\.ts/)
  })

  it('omits what libraries add, and scrubs causes too', () => {
    const cause = Object.assign(new Error('duplicate key'), { detail: 'Key (uid)=(mei) already exists.' })
    const line = JSON.stringify(scrub(new Error('failed', { cause })))
    expect(line).toContain('duplicate key')
    expect(line).not.toContain('mei')
  })

  it('replaces a long text by its length, without searching it', () => {
    expect(scrub(new Error('Mei'.repeat(300_000))).message).toBe('(900000 characters)')
  })

  it('describes a thrown value that is not an error by its type', () => {
    expect(scrub('mei.lin@example.edu')).toEqual({ name: 'string', message: '', at: [] })
  })
})
