import { type AddressInfo, connect } from 'node:net'
import { Kysely, sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { purgeNextMedia } from '../../../src/services/media/purge.ts'
import { startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { bomb, gradient, mediaUrl, noise, photo, png, webp } from '../../fixtures/pictures.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startApi())

const upload = (raw: Buffer, type = 'image/jpeg', as: object = { key: api.keys.a }) =>
  api.call('createMedia', { ...as, raw, headers: { 'content-type': type } })

/** The file behind an address, as whoever has it loads it. */
async function load(url: string, headers = {}) {
  const {
    statusCode,
    headers: answered,
    rawPayload,
  } = await api.app.inject({
    url: url.replace(mediaUrl, ''),
    headers,
  })
  return { status: statusCode, headers: answered, bytes: rawPayload }
}

describe('a picture', () => {
  it('is kept without what the camera wrote into it, upright, and served by an address of its own', async () => {
    const { status, body } = await upload(await photo({ width: 60, height: 40, orientation: 6 }))
    expect(status).toBe(201)
    expect(body).toMatchObject({ width: 40, height: 60 })
    expect(body.url).toMatch(/^https:\/\/media\.example\.edu\/media\/[A-Za-z0-9_-]{22}\.jpg$/)
    const { headers, bytes } = await load(body.url)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('set-cookie')
    const { exif, orientation } = await sharp(bytes).metadata()
    expect(exif).toBeUndefined()
    expect(orientation).toBeUndefined()
    expect(bytes.includes('Carillon camera')).toBe(false)
    expect((await load(body.url, { 'if-none-match': headers.etag })).status).toBe(304)
  })

  it('has at most 4,096 pixels a side, and its preview 1,024', async () => {
    const { body } = await upload(await photo({ width: 5_000, height: 2_500 }))
    expect(body).toMatchObject({ width: 4_096, height: 2_048 })
    const preview = await sharp((await load(body.previewUrl)).bytes).metadata()
    expect(preview).toMatchObject({ width: 1_024, height: 512 })
  })

  it('stays transparent, and is JPEG otherwise', async () => {
    const clear = (await upload(await png({ alpha: 0.5 }), 'image/png')).body
    expect(clear.url).toMatch(/\.png$/)
    expect((await sharp((await load(clear.url)).bytes).metadata()).hasAlpha).toBe(true)
    const full = (await upload(await webp(), 'image/webp')).body
    expect((await load(full.url)).headers['content-type']).toBe('image/jpeg')
  })

  it('is found in its unit, newest first, and in no other', async () => {
    const { body: older } = await upload(await photo())
    const { body: newer } = await upload(await photo())
    const { body } = await api.call('listMedia', { key: api.keys.a, query: { limit: '2' } })
    expect(body.items).toEqual([newer, older])
    expect((await api.call('getMedia', { key: api.keys.a, id: older.id })).body).toEqual(older)
    expect((await api.call('getMedia', { key: api.keys.b, id: older.id })).status).toBe(404)
    expect((await load(older.url.replace('.jpg', '.png'))).status).toBe(404)
    expect((await load(`${mediaUrl}/media/${'A'.repeat(22)}.jpg`)).status).toBe(404)
  })

  it('may be uploaded by an editor, not by somebody of another unit', async () => {
    expect((await upload(await photo(), 'image/jpeg', { session: api.sessions.editor })).status).toBe(201)
    expect((await upload(await photo(), 'image/jpeg', { session: api.sessions.stranger })).status).toBe(403)
  })
})

describe('a picture with an alpha channel', () => {
  it('that is opaque becomes JPEG, and keeps its colours', async () => {
    const { body } = await upload(await gradient(255), 'image/png')
    expect(body.url).toMatch(/\.jpg$/)
  })

  it('that is transparent somewhere keeps each of its colours', async () => {
    const drawn = await gradient(254)
    const { body } = await upload(drawn, 'image/png')
    expect(body.url).toMatch(/\.png$/)
    const pixels = (file: Buffer) => sharp(file).ensureAlpha().raw().toBuffer()
    expect(await pixels((await load(body.url)).bytes)).toEqual(await pixels(drawn))
  })

  it('and of which every pixel is another colour is small enough for the chat', async () => {
    const { body } = await upload(await noise(1_400), 'image/png')
    expect((await load(body.previewUrl)).bytes.length).toBeLessThanOrEqual(1_000_000)
    expect((await load(body.url)).bytes.length).toBeLessThanOrEqual(10_000_000)
  })
})

describe('the file of a picture', () => {
  it('that a reader has is answered from its name alone', async () => {
    const { body } = await upload(await photo())
    const { etag } = (await load(body.url)).headers
    const queries = vi.spyOn(Kysely.prototype, 'selectFrom')
    const second = await load(body.url, { 'if-none-match': `"other", W/${etag}` })
    expect({ status: second.status, bytes: second.bytes.length, asked: queries.mock.calls.length }).toEqual({
      status: 304,
      bytes: 0,
      asked: 0,
    })
    expect((await load(body.url, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it.each([300, 1_400])('is read part by part, and is whole: %i pixels a side', async (side) => {
    const { body } = await upload(await noise(side), 'image/png')
    const { status, headers, bytes } = await load(body.url)
    expect({ status, bytes: bytes.length }).toEqual({ status: 200, bytes: Number(headers['content-length']) })
    const { rows } = await sql<{ data: Buffer }>`
      select data from media_file where media_id = ${body.id} and not preview`.execute(api.database.db)
    expect(bytes.equals(rows[0]!.data)).toBe(true)
  })

  it('that many ask for at once is read once', async () => {
    const { body } = await upload(await noise(300), 'image/png')
    const read = vi.spyOn(api.services.media!.stores.postgres!, 'open')
    const all = await Promise.all(Array.from({ length: 12 }, () => load(body.url)))
    expect(new Set(all.map(({ status, bytes }) => `${status} ${bytes.length}`)).size).toBe(1)
    expect(read.mock.calls.length).toBeLessThanOrEqual(3)
  })
})

describe('what is no picture', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  it.each<[string, () => Promise<Buffer>]>([
    ['SVG', async () => svg],
    ['nothing', async () => Buffer.alloc(0)],
    ['GIF', async () => Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
    ['half a photograph', async () => (await photo({ width: 900, height: 900 })).subarray(0, 2_000)],
    ['a head alone', async () => bomb(10, 10)],
    [
      'the beginning of a picture before a page',
      async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), svg]),
    ],
  ])('%s is refused', async (_, bytes) => {
    const before = await count()
    const { status, body } = await upload(await bytes(), 'image/png')
    expect(status).toBe(400)
    expect(body.error.code).toBe('validation_error')
    expect(await count()).toBe(before)
  })

  it('a picture with a page behind it is kept without the page', async () => {
    const { body } = await upload(
      Buffer.concat([await photo(), Buffer.from('<html><script>alert(1)</script>')]),
    )
    expect((await load(body.url)).bytes.includes('<script>')).toBe(false)
  })

  it('too many pixels are refused before they are decoded', async () => {
    await upload(await photo())
    const { status, body } = await upload(bomb(30_000, 30_000), 'image/png')
    expect(status).toBe(400)
    expect(body.error.message).toContain('50,000,000 pixels')
  })

  it('too many bytes are refused', async () => {
    const { status } = await upload(Buffer.alloc(limits.mediaBytes + 1, 0xff))
    expect(status).toBe(413)
  })
})

async function count(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from media`.execute(api.database.db)
  return rows[0]!.n
}

describe('a message with a picture of the installation', () => {
  const image = (url: string) => [{ kind: 'image', url, alt: { 'zh-TW': '校園' } }]

  it('cannot be submitted if there is no such picture', async () => {
    const { body } = await createMessage(api, { messages: image(`${mediaUrl}/media/${'B'.repeat(22)}.jpg`) })
    const { status, body: refused } = await api.call('submitMessage', { key: api.keys.a, id: body.id })
    expect(status).toBe(400)
    expect(refused.error.details.violations).toMatchObject([
      { path: 'messages[0].url', code: 'unknown_media' },
    ])
  })

  it('cannot be submitted if the picture is of another unit', async () => {
    const { body: picture } = await upload(await photo(), 'image/jpeg', { key: api.keys.b })
    const { body } = await createMessage(api, { messages: image(picture.url) })
    const { status, body: refused } = await api.call('submitMessage', { key: api.keys.a, id: body.id })
    expect(status).toBe(400)
    expect(refused.error.details.violations).toMatchObject([{ code: 'unknown_media' }])
  })

  it('keeps it beyond its month; without a content that names it, it goes', async () => {
    const { body: named } = await upload(await photo())
    const { body: unnamed } = await upload(await photo())
    const { body } = await createMessage(api, { messages: image(named.url) })
    expect((await api.call('submitMessage', { key: api.keys.a, id: body.id })).status).toBe(200)
    const { db } = api.database
    await sql`update media set created_at = created_at - interval '29 days'`.execute(db)
    await purgeNextMedia(api.services)
    expect((await load(unnamed.url)).status).toBe(200)
    await sql`update media set created_at = created_at - interval '2 days'`.execute(db)
    await sql`update message set created_at = created_at - interval '31 days'`.execute(db)
    while (await purgeNextMedia(api.services));
    expect((await load(unnamed.url)).status).toBe(404)
    expect((await load(named.url)).status).toBe(200)
    const { rows } =
      await sql`select from media_file left join media on media.id = media_id where media.id is null`.execute(
        db,
      )
    expect(rows).toEqual([])
  })
})

it('an upload that was cut off leaves nothing after an hour', async () => {
  const { db } = api.database
  const { body } = await upload(await photo())
  await sql`update media set stored_at = null, created_at = now() - interval '2 hours' where id = ${body.id}`.execute(
    db,
  )
  expect((await load(body.url)).status).toBe(404)
  await purgeNextMedia(api.services)
  expect(await db.selectFrom('media').select('id').where('id', '=', body.id).execute()).toEqual([])
})

it('an upload that is cut in the middle leaves nothing', async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const before = await count()
  const picture = await photo({ width: 900, height: 900 })
  const head = [
    'POST /v1/media HTTP/1.1',
    'Host: hub',
    `Authorization: Bearer ${api.keys.a}`,
    'Content-Type: image/jpeg',
    `Content-Length: ${picture.length}`,
  ]
  const ended = new Promise<void>(
    (done) => void api.app.server.once('connection', (one) => one.once('close', done)),
  )
  const socket = connect(port, '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(picture.subarray(0, picture.length / 2), () => socket.destroy())
  await ended
  expect((await upload(picture)).status).toBe(201)
  expect(await count()).toBe(before + 1)
})
