import { expect, it } from 'vitest'
import { readSettings, wantedPorts } from '../../../dev/settings.ts'

it('names every setting that is no port', () => {
  expect(() => readSettings({ PORT: 'abc', TEMPORAL_PORT: '70000' })).toThrow('PORT=abc, TEMPORAL_PORT=70000')
})

it('reads a port from its setting', () => {
  const ports = wantedPorts(readSettings({ SIMULATOR_PORT: '5000' }))
  expect(ports).toContainEqual({ what: 'the chat simulator', port: 5000, setting: 'SIMULATOR_PORT' })
})

it('moves all ports together, and each of them by its own setting', () => {
  const ports = wantedPorts(readSettings({ PORT_BASE: '5600', SMTP_PORT: '1', MAILBOX_SMTP_PORT: '2525' }))
  const numbers = Object.fromEntries(ports.map(({ setting, port }) => [setting, port]))
  expect(numbers).toMatchObject({ PORT: 5600, TEMPORAL_UI_PORT: 5634, MAILBOX_SMTP_PORT: 2525 })
  for (const PORT_BASE of ['0', 'x', '65502'])
    expect(() => readSettings({ PORT_BASE })).toThrow('from 1 to 65501')
})

it('listens on no port of a server that is given', () => {
  const env = { DATABASE_URL: 'postgres://elsewhere/x', TEMPORAL_ADDRESS: 'elsewhere:7233' }
  const ports = wantedPorts(readSettings(env)).map(({ setting }) => setting)
  expect(ports).toEqual([
    'PORT',
    'API_METRICS_PORT',
    'WORKER_METRICS_PORT',
    'SIMULATOR_PORT',
    'MAILBOX_PORT',
    'SIGN_IN_PORT',
    'PRODUCER_PORT',
    'MAILBOX_SMTP_PORT',
  ])
})
