import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { variables } from '../../../src/config/settings.ts'
import { readConfig } from '../../../src/config.ts'

const root = resolve(import.meta.dirname, '../../..')
const text = readFileSync(resolve(root, 'docker-compose.yml'), 'utf8')
type Service = { image: string; command?: string[]; environment: Record<string, string | number> }
const services = Object.entries<Service>(parse(text, { merge: true }).services)
const ours = services.filter(([, { image }]) => image === 'carillon')

describe('docker-compose.yml', () => {
  it('asks .env for settings and for the password of its Postgres, and for nothing else', () => {
    const asked = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!))
    expect([...asked].filter((name) => !variables.includes(name))).toEqual(['POSTGRES_PASSWORD'])
  })

  it.each(ours)('gives %s existing settings and an existing command', (_, service) => {
    const names = Object.keys(service.environment)
    expect(names.filter((name) => !variables.includes(name))).toEqual([])
    expect(existsSync(resolve(root, service.command![1]!))).toBe(true)
  })

  it.each(ours)('starts %s with only its required settings', (_, { environment }) => {
    const secret = () => randomBytes(32).toString('base64url')
    const given: Record<string, string> = {
      POSTGRES_PASSWORD: secret(),
      SECRETS_KEY: randomBytes(32).toString('base64'),
    }
    const filled = Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(
        /\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)\}/g,
        (_, asked, otherwise) => otherwise ?? given[asked] ?? secret(),
      ),
    ])
    expect(() => readConfig({ NODE_ENV: 'production', ...Object.fromEntries(filled) })).not.toThrow()
  })
})

describe('Dockerfile', () => {
  const lines = readFileSync(resolve(root, 'Dockerfile'), 'utf8').split('\n')

  it('copies and runs existing files', () => {
    const copied = lines.flatMap((line) => /^COPY (.*) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
    const run = lines.flatMap((line) => /^RUN node (\S+)|^CMD \["node", "(\S+)"\]/.exec(line)?.slice(1) ?? [])
    const missing = [...copied, ...run.filter(Boolean)].filter((path) => !existsSync(resolve(root, path)))
    expect(missing).toEqual([])
    expect(copied.length).toBeGreaterThan(3)
  })
})

describe('.env', () => {
  it('is ignored by git and in the build of the image, the example is not ignored by git', () => {
    const lines = (name: string) => readFileSync(resolve(root, name), 'utf8').split('\n')
    expect(lines('.gitignore')).toEqual(expect.arrayContaining(['.env', '.env.*', '!.env.example']))
    expect(lines('.dockerignore')).toEqual(expect.arrayContaining(['**/.env', '**/.env.*']))
  })
})
