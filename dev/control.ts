import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Journal, Numbered } from './journal.ts'

const pageItems = 1_000
const pageBytes = 8 * 1024 * 1024

/** What controls a simulated provider: its journal, and its queued faults with their schema. */
export type Control<Item extends Numbered, Fault> = {
  journal: Journal<Item>
  faults: { add(fault: Fault): void; list(): Fault[]; clear(): void }
  schema: z.ZodType<Fault>
}

/**
 * The control interface: journal and faults. The real provider has no such interface. It requires no token, and reads
 * bodies as text.
 */
export function controlRoutes<Item extends Numbered, Fault>(
  app: FastifyInstance,
  { journal, faults, schema }: Control<Item, Fault>,
): void {
  app.get<{ Querystring: { since?: string } }>('/journal', async ({ query }, reply) => {
    const since = Math.max(0, Number(query.since ?? 0) || 0)
    const lines: Buffer[] = []
    let bytes = 0
    for await (const line of journal.after(since)) {
      lines.push(line)
      bytes += line.length
      if (lines.length === pageItems || bytes >= pageBytes) break
    }
    const next = since + lines.length
    return reply.type('application/json').send(`{"items":[${lines.join(',')}],"next":${next}}`)
  })

  app.post<{ Body: string }>('/faults', async ({ body }, reply) => {
    const fault = schema.safeParse(readJson(body))
    if (!fault.success) return reply.code(400).send({ message: z.prettifyError(fault.error) })
    faults.add(fault.data)
    return reply.code(201).send({ items: faults.list() })
  })

  app.get('/faults', async () => ({ items: faults.list() }))

  app.delete('/faults', async () => {
    faults.clear()
    return { items: [] }
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
