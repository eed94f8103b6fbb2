import { expect, it } from 'vitest'
import type { RequestStatus } from '../../../src/channels/channel.ts'
import { withFailureLog } from '../../../src/services/outbound/failure-log.ts'

it('says once that a channel begins to fail, and once that it works again', () => {
  const lines: string[] = []
  const say = (level: string) => (about: object, text: string) =>
    void lines.push(`${level} ${JSON.stringify({ ...about, seconds: undefined })} ${text}`)
  const statuses: string[] = []
  const observe = withFailureLog(
    { warn: say('warn'), info: say('info') } as unknown as Parameters<typeof withFailureLog>[0],
    (channel, status) => void statuses.push(`${channel} ${status}`),
  )
  const answer = (status: RequestStatus, times = 1) => {
    for (let time = 0; time < times; time += 1) observe('chat', status, 0)
  }
  answer('5xx', 4)
  answer('2xx')
  expect(lines).toEqual([])
  answer('timeout', 3)
  observe('email', '2xx', 0)
  answer('5xx', 40)
  answer('aborted')
  answer('409')
  answer('2xx')
  expect(lines).toEqual([
    'warn {"channel":"chat","status":"5xx"} The provider of a channel has accepted none of 5 requests in a row',
    'info {"channel":"chat"} The provider of a channel accepts requests again',
  ])
  expect(statuses).toHaveLength(52)
})
